# Writes python.safetensors with the format's own library: pip install safetensors==0.8.0 numpy ml_dtypes; python write.py
import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

save_file({
    "decoder/w": np.arange(6, dtype=np.float32).reshape(2, 3),
    "step": np.array(12, dtype=np.int64),
    "mask": np.array([True, False]),
    "half": np.array([1.5, -0.25], dtype=ml_dtypes.bfloat16),
}, "python.safetensors", metadata={"writer": "python"})
