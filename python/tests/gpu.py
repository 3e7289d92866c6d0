"""What tests of tensors on a GPU share."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from common import Case, need


class OnGpu(Case):
    torch: Any

    @classmethod
    def setUpClass(cls) -> None:
        cls.torch = need("torch")
        if not cls.torch.cuda.is_available():
            raise unittest.SkipTest("no GPU here")

    def there(self, a: np.ndarray[Any, Any]) -> Any:
        return self.torch.from_numpy(a).cuda()

    def same(self, got: Any, want: Any, dtype: str, scale: float = 1.0) -> None:
        self.assertIsInstance(got, self.torch.Tensor)
        self.assertEqual(got.device.type, "cuda")
        self.close(got.cpu().resolve_conj().numpy(), want, dtype, scale)
