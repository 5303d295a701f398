# expect: 8 noncontiguous-view related 7
# why: attention heads are turned, then joined
# raises: RuntimeError
import torch

heads = torch.randn(2, 4, 5, 3)
turned = heads.transpose(1, 2)
joined = turned.view(2, 5, 12)
