"""Columns of a pandas table as numbers: times, durations, sizes, names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any

from shadowtime.traces.clock import NO_LIMIT, Clock, Reading, duration

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

EMPTY = frozenset({"", "na", "n/a", "nan", "nat", "none", "null", "unknown", "<na>"})
"""What stands for an unknown number or time, in lower case."""

_WHOLE = re.compile(r"(?:0|-?[1-9][0-9]{0,17})(?:\.0)?")
_WITH_OFFSET = r"[\d-]+[T ][\d:.]+ ?(?:[Zz]|[+-]\d\d(?::?\d\d)?)"
_WITHOUT = r"[\d-]+(?:[T ][\d:.]+)?"


@dataclass
class Numbers:
    """A column as numbers.

    Attributes
    ----------
    number : numpy.ndarray of float, shape (rows,)
        NaN where unknown; times in Unix seconds or as they are, durations in seconds.
    wrong : numpy.ndarray of bool, shape (rows,)
        Where there is something that cannot be read.
    doubtful : dict of int to Reading
        Local times near a change of the clock, by row.
    unlimited : list of int
        Rows in which a limit is said not to exist.
    local : bool
        Whether there are times without a zone.
    """

    number: NDArray[np.float64]
    wrong: NDArray[np.bool_]
    doubtful: dict[int, Reading] = field(default_factory=dict)
    unlimited: list[int] = field(default_factory=list)
    local: bool = False

    def known(self) -> list[Any]:
        """Return the numbers, whole ones as such, with None where they are unknown."""
        return [
            None if isnan(value) else int(value) if value.is_integer() else value
            for value in self.number.tolist()
        ]


def numbers(column: pd.Series[Any]) -> Numbers:
    """Read a column of numbers, or of texts that are numbers."""
    import numpy as np
    import pandas as pd

    parsed = pd.to_numeric(column, errors="coerce")
    values = parsed.to_numpy(dtype=np.float64, na_value=np.nan).copy()
    wrong = ~(np.abs(values) < 2**53)  # beyond that a float is no exact number
    if wrong.any():
        rest = column[wrong]
        wrong[wrong] = ~(rest.isna() | rest.astype(str).str.strip().str.lower().isin(EMPTY))
        values[wrong] = np.nan
    return Numbers(values, wrong)


def durations(column: pd.Series[Any]) -> Numbers:
    """Read a column of durations: seconds, timedeltas, or texts such as ``02:30:00``."""
    import numpy as np
    import pandas as pd

    if pd.api.types.is_timedelta64_dtype(column):
        return numbers(column.dt.total_seconds())
    found = numbers(column)
    texts = column[found.wrong].astype(str).str.strip()
    for row, text in zip(np.flatnonzero(found.wrong).tolist(), texts.tolist(), strict=True):
        if text.lower() in NO_LIMIT:
            found.unlimited.append(row)
        else:
            try:
                found.number[row] = duration(text)
            except ValueError:
                continue
        found.wrong[row] = False
    return found


def times(column: pd.Series[Any], clock: Clock) -> Numbers:
    """Read a column of times: seconds, timestamps, or texts in ISO 8601."""
    import pandas as pd

    column = column.reset_index(drop=True)
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return numbers(_unix(column))
    if pd.api.types.is_datetime64_any_dtype(column):
        found = numbers(column.isna() * float("nan"))
        local = column.dropna()
    else:
        found = numbers(column)
        rest = column[found.wrong].astype(str).str.strip()
        exact = _parse(rest[rest.str.fullmatch(_WITH_OFFSET)], utc=True)
        found.number[exact.index] = _unix(exact)
        found.wrong[exact.index] = False
        local = _parse(rest[rest.str.fullmatch(_WITHOUT)], utc=False)
    sure = local.dt.tz_localize(clock.zone, ambiguous="NaT", nonexistent="NaT")
    found.number[local.index] = _unix(sure)
    found.wrong[local.index] = False
    found.local = len(local) > 0
    for row in local.index[sure.isna()]:
        reading = clock.read(local[row].isoformat())
        found.doubtful[row] = reading
        found.number[row] = reading.before
    return found


def _parse(texts: pd.Series[Any], *, utc: bool) -> pd.Series[Any]:
    import pandas as pd

    if texts.empty:
        return pd.Series([], dtype="datetime64[ns, UTC]" if utc else "datetime64[ns]")
    return pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=utc).dropna()


def _unix(column: pd.Series[Any]) -> pd.Series[Any]:
    import pandas as pd

    # Microseconds reach over all years that texts can name; nanoseconds do not.
    since = column.dt.as_unit("us") - pd.Timestamp(0, tz="UTC").as_unit("us")
    seconds: pd.Series[Any] = since.dt.total_seconds()
    return seconds


def names(column: pd.Series[Any], known: dict[Any, Any]) -> list[Any]:
    """Return the values of a column as texts and whole numbers, None where unknown.

    Parameters
    ----------
    column : pandas.Series, shape (rows,)
    known : dict
        Values that came before, so that each is held once; completed here.
    """
    import pandas as pd

    codes, values = pd.factorize(column)
    own = [known.setdefault(value, value) for value in map(_plain, values.tolist())]
    own.append(None)  # the code of a missing value is -1
    return [own[code] for code in codes]


def _plain(value: Any) -> Any:
    """Return a name, as the number that it is where it is written like one."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    text = value.strip()
    # Tables in which some are unknown write whole numbers with a fraction.
    return int(text.removesuffix(".0")) if _WHOLE.fullmatch(text) else text or None
