"""One stage of a graph by itself."""

import pytest

from jit_lsp.ir import parse, print_module, verify
from jit_lsp.ir.passes.one_stage import only_stage, stages_of

STAGED = """\
graph @main() {
  %x.0 : f32[5] = torch.randn(5)
  %2 : f32[5] =
      loop %i.1 in 3 (%y.3 = %x.0) {
    %4 : f32[5] = torch.mul(%y.3, 2)
    --- stage 1 ---
    %g.5 : f32[5] = torch.autograd.seed(%4)
    --- stage 0 ---
    %6 : f32[5] = torch.sub(%4, %g.5)
    next %6
  }
  call @plain(%2)
  return
}

graph @plain(%x.7: f32[5]) {
  %8 : f32[5] = torch.neg(%x.7)
  return
}
"""
FORWARD = """\
graph @main() {
  %x.0 : f32[5] = torch.randn(5)
  %2 : f32[5] = loop %i.1 in 3 (%y.3 = %x.0) {
    %4 : f32[5] = torch.mul(%y.3, 2)
    %g.5 : f32[5] = ir.outside()
    %6 : f32[5] = torch.sub(%4, %g.5)
    next %6
  }
  call @plain(%2)
  return
}

graph @plain(%x.7: f32[5]) {
  %8 : f32[5] = torch.neg(%x.7)
  return
}
"""
BACKWARD = """\
graph @main() {
  %x.0 : f32[5] = ir.outside()
  %2 : f32[5] = loop %i.1 in 3 (%y.3 = %x.0) {
    %4 : f32[5] = ir.outside()
    --- stage 1 ---
    %g.5 : f32[5] = torch.autograd.seed(%4)
    %6 : f32[5] = ir.outside()
    next %6
  }
  return
}
"""


@pytest.mark.parametrize("number, shown", [(0, FORWARD), (1, BACKWARD)])
def test_the_rest_comes_from_outside(number: int, shown: str) -> None:
    module = parse(STAGED)
    assert stages_of(module) == [0, 1]
    only_stage(module, number)
    assert verify(module) == []
    assert print_module(module) == shown
