"""CodeBLEU of source code."""
