from __future__ import annotations

from tests.report.charts_library import stand_in_for_vl_convert

stand_in_for_vl_convert()
