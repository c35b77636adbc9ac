"""Missing, moved and repeated steps."""

from __future__ import annotations

import pytest

from klopt.checking.arrangement import arrange


@pytest.mark.parametrize(
    ("right", "order", "missing", "moved", "repeated"),
    [
        ((0, 1, 2), (0, 1, 2), (), (), ()),
        ((0, 1, 2), (0, 2), (1,), (), ()),
        ((0, 1, 2), (), (0, 1, 2), (), ()),
        ((), (), (), (), ()),
        ((0, 1, 2), (2, 0, 1), (), (2,), ()),
        ((0, 1, 2), (1, 2, 0), (), (0,), ()),
        ((0, 1, 2, 3), (3, 2, 1, 0), (), (1, 2, 3), ()),
        ((0, 1, 2, 3), (3, 0, 1), (2,), (3,), ()),
        ((0, 1), (0, 1, 0), (), (), (0,)),
        ((0, 1), (1, 0, 1), (), (1,), (1,)),
        # the first and the last step are the same
        ((0, 1, 0), (0, 1, 0), (), (), ()),
        ((0, 1, 0), (1, 0), (0,), (), ()),
        ((0, 1, 0), (0, 1), (2,), (), ()),
        ((0, 1, 0), (0, 0, 1), (), (2,), ()),
        ((0, 1, 0), (1, 0, 0), (), (1,), ()),
        ((0, 0, 0), (0, 0), (2,), (), ()),
    ],
)
def test_arrange(
    right: tuple[int, ...],
    order: tuple[int, ...],
    missing: tuple[int, ...],
    moved: tuple[int, ...],
    repeated: tuple[int, ...],
):
    found = arrange(right, order)
    assert (found.missing, found.moved, found.repeated) == (missing, moved, repeated)


def test_a_step_that_does_not_exist():
    with pytest.raises(ValueError, match=r"^step 7 is not one of the 2 steps$"):
        arrange((0, 1), (0, 7))
