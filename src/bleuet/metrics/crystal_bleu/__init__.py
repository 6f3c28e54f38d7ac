"""CrystalBLEU."""
