"""Uses a client that a generator made: `python use_client.py ADDRESS REFERENCE SYSTEM SYSTEM`.

The client is the package `client` on the path. Prints what it got, as JSON.
"""

from __future__ import annotations

import json
import struct
import sys
import time
from io import BytesIO
from pathlib import Path
from typing import Any

from client import Client, models  # type: ignore[import-not-found]
from client.api.default import (  # type: ignore[import-not-found]
    begin_comparison,
    compare,
    comparison_csv,
    comparison_json,
    comparison_jsonl,
    comparison_numbers,
    comparison_report,
    comparison_search,
    comparison_texts,
    explain,
    get_comparison,
    get_reward,
    health,
    metrics,
    remove_comparison,
    score,
    sentences,
    start_comparison,
    upload_references,
    upload_systems,
)
from client.types import File  # type: ignore[import-not-found]

address, reference, *systems = sys.argv[1:]
client: Any = Client(base_url=address.rstrip("/"), raise_on_unexpected_status=True)
texts = {"hypotheses": ["The cat sat down."], "references": [["The cat sat up.", "A cat."]]}
chrf = models.ChrfMetric(name="chrf", options=models.ChrfOptions(word_order=2))
found: dict[str, Any] = {"version": health.sync(client=client).version}
found["metrics"] = [one.metric for one in metrics.sync(client=client).metrics]
request = models.ScoreRequest(**texts, metrics=["bleu", chrf])
found["score"] = [[one.name, one.score] for one in score.sync(client=client, body=request)]
found["sentences"] = sentences.sync(client=client, body=request)[1].scores
request = models.ExplainRequest(**texts, a="bleu", b="bleu:lowercase")
found["explain"] = [one.step for one in explain.sync(client=client, body=request).steps]
both = models.CompareRequestSystems.from_dict({"a": ["The cat."], "b": ["A cat."]})
request = models.CompareRequest(systems=both, references=["A cat."], metrics=["bleu"])
found["compare"] = compare.sync(client=client, body=request).systems
request = models.RewardRequest(query=["a b"], prompts=["a"], labels=["b"])
found["reward"] = get_reward.sync(client=client, body=request).rewards

known = begin_comparison.sync(client=client).id
upload_references.sync(
    known, client=client, body=File(BytesIO(Path(reference).read_bytes())), name="ref.txt"
)
for one in systems:
    content = BytesIO(Path(one).read_bytes())
    upload_systems.sync(known, client=client, body=File(content), name=Path(one).name)
early = comparison_csv.sync(known, client=client)
found["early"] = [early.type_, early.status]
start_comparison.sync(known, client=client, body=["bleu", chrf])
while get_comparison.sync(known, client=client).state == "running":
    time.sleep(0.1)
found["results"] = get_comparison.sync(known, client=client).results
result = comparison_json.sync(known, client=client)
found["result"] = [result.systems, [one.name for one in result.metrics]]
found["csv"] = comparison_csv.sync(known, client=client).splitlines()[0]
found["jsonl"] = json.loads(comparison_jsonl.sync(known, client=client).splitlines()[0]) != {}
found["report"] = comparison_report.sync(known, client=client)[:15]
content = comparison_numbers.sync(known, client=client).payload.read()
found["scores"] = [struct.unpack_from("<d", content)[0], len(content)]
texts = comparison_texts.sync(known, client=client, body=models.TextsRequest(segments=[2, 1]))
found["rows"] = [[one.segment, one.references] for one in texts.segments]
phrase = models.SearchRequest(query="the")
hits = comparison_search.sync(known, client=client, body=phrase)
found["hits"] = [hits.segments, hits.hits]
found["removed"] = remove_comparison.sync(known, client=client).id == known
gone = get_comparison.sync(known, client=client)
found["gone"] = [gone.type_, gone.status]
wrong = score.sync(client=client, body=models.ScoreRequest(references=["a"], metrics=["none"]))
found["wrong"] = [wrong.type_, wrong.status]
print(json.dumps(found))
