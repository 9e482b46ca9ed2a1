"""The logs that this package knows beside those of the Parallel Workloads Archive.

The Argonne Leadership Computing Facility (ALCF) offers the job data of its machines to everyone who
fills in a form, one file a machine and year. The National Renewable Energy Laboratory (NREL) offers
those of Eagle as one file.
"""

from __future__ import annotations

from shadowtime.traces.entry import Entry

ALCF = (
    "This data was generated from resources of the Argonne Leadership Computing Facility, which is"
    " a DOE Office of Science User Facility supported under Contract DE-AC02-06CH11357."
)
ALCF_TERMS = "Public ALCF job data, to be used with its acknowledgement; no licence is stated."
EAGLE = (
    "The data of Eagle are by D. Duplyakin and K. Menear: NREL Eagle supercomputer jobs, Open"
    " Energy Data Initiative, 2023 (https://data.openei.org/submissions/5860)."
)
_ALCF_LACKS = (
    "No state, only the exit status; no memory. Users and projects are pseudonyms. One file a year."
)
_WINDOWS = "github.com/samnickolay/qsim-scheduling-january-paper-v2, src/components/"


def _alcf(machine: str, page: str, *, model: str, nodes: int, period: str) -> Entry:
    file = f"ANL-ALCF-DJC-{machine.upper()}"
    return Entry(
        name=machine.lower(),
        file=f"{file}.csv.gz",
        machine=f"{model} {machine} at the Argonne Leadership Computing Facility",
        processors=nodes,
        jobs=None,
        period=period,
        lacks=_ALCF_LACKS,
        provider=ALCF,
        source=f"https://reports.alcf.anl.gov/data/{page}",
        steps=(
            f"fill in the form, get the DIM_JOB_COMPOSITE files {file}_FROM_TO.csv.gz of the years"
            " you want, join them with cat"
        ),
        terms=ALCF_TERMS,
    )


def _window(number: int, *, jobs: int, period: str, sha256: str) -> Entry:
    return Entry(
        name=f"mira-2018-{number}",
        file=f"ALCF-Mira-2018-window{number}.cobalt.log.gz",
        machine="IBM Blue Gene/Q Mira at the Argonne Leadership Computing Facility",
        processors=49_152,
        jobs=jobs,
        period=period,
        lacks=(
            "No user, no state. The jobs around ten days; those that already ran when the days"
            " began are queued when they start."
        ),
        provider=ALCF,
        sha256=sha256,
        source=f"{_WINDOWS}wk{number}.log",
        terms=ALCF_TERMS,
    )


LOGS: tuple[Entry, ...] = (
    Entry(
        name="metacentrum",
        file="MetaCentrum-wagap-2013.swf.gz",
        machine="MetaCentrum clusters zewura and zegox",
        processors=2176,
        jobs=17_900,
        period="2012-12-31 .. 2013-03-30",
        lacks=(
            "No header, queue or used memory. Submit times are Unix seconds; three fields follow"
            " SWF's."
        ),
        provider="Data of MetaCentrum, Czech Republic, from the sample set of the Alea simulator.",
        sha256="bf5c1cc69915f2d5d26c579f69e206513ceff9bd60e6c4b112182da0c6183ed7",
        source="github.com/aleasimulator/alea, Alea/data-set/wagap-2013.swf",
        terms="Offered by the simulator Alea for demonstration; no licence is stated for the data.",
    ),
    Entry(
        name="saliksik",
        file="DOST-ASTI-COARE-Saliksik-2020-cln.swf.gz",
        machine="Saliksik cluster at DOST-ASTI COARE",
        processors=1728,
        jobs=19_760,
        period="2020-03-02 .. 2020-08-31",
        lacks="No queue or memory. The owner left out the first 1% and jobs without a time limit.",
        provider="Data of DOST-ASTI COARE, Philippines.",
        sha256="5e41710a8242920b73456ae2b98e2a189833a8b6fb05da41acb254c888cd6da1",
        source="github.com/erangvee/slurm_sim_vanilla, DOST-ASTI_COARE-Saliksik-2020-cln.swf",
        terms="No licence is stated.",
    ),
    Entry(
        name="theta-2022",
        file="ALCF-Theta-2022.swf.gz",
        machine="Cray XC40 Theta at the Argonne Leadership Computing Facility",
        processors=4360,
        jobs=23_911,
        period="2022-01-01 .. 2022-12-31",
        lacks=(
            "No user, queue, status or memory. The unit is the node; jobs below 128 are left out."
        ),
        provider=ALCF,
        sha256="2ef7be60df7e5abc671b838cc5dbf4dc212320eaddbbf5c4a4f5db592ea20cae",
        source="github.com/mochiiten9158/cqsimplus, cqsim_original/data/InputFiles/theta_2022.swf",
        terms=ALCF_TERMS,
    ),
    _alcf(
        "Mira",
        "mira.html",
        model="IBM Blue Gene/Q",
        nodes=49_152,
        period="2014 .. 2020",
    ),
    _alcf(
        "Intrepid",
        "index.html",
        model="IBM Blue Gene/P",
        nodes=40_960,
        period="2009 .. 2013",
    ),
    _alcf("Theta", "theta.html", model="Cray XC40", nodes=4392, period="2017 .. 2023"),
    _window(
        1,
        jobs=2147,
        period="2017-12-06 .. 2018-01-28",
        sha256="c97c2bb58e60fac38711a8e6f2cbce684aeba1795409d3931514f4bc27a0ba07",
    ),
    _window(
        2,
        jobs=1511,
        period="2018-03-12 .. 2018-03-25",
        sha256="0908d58a1346b7f42791cba3b93a600388fcee5aa427e9602aa88b71fcc3d4f0",
    ),
    _window(
        3,
        jobs=2882,
        period="2018-05-27 .. 2018-06-17",
        sha256="4c6d871da6e52d2035cca564c64ba5b7bc972dbf55acfc2a7813a87d28ae7e7e",
    ),
    Entry(
        name="mira-2014",
        file="ALCF-Mira-2014-12-week1.cobalt.log.gz",
        machine="IBM Blue Gene/Q Mira at the Argonne Leadership Computing Facility",
        processors=49_152,
        jobs=1041,
        period="2014-12-01 .. 2014-12-08",
        lacks="No user, no queue, no state. 98 of the 1,041 jobs do not end within the week.",
        provider=ALCF,
        sha256="9f5f1148458df3458fbd4a7910eb2d96f45ad8b9e53fd3fc57c000b217059027",
        source=f"{_WINDOWS}mira_dec_wk1.log",
        terms=ALCF_TERMS,
    ),
    Entry(
        name="eagle",
        file="eagle_data.parquet",
        machine="HPE SGI 8600 Eagle at the National Renewable Energy Laboratory",
        processors=2618,
        jobs=11_030_377,
        period="2018-11 .. 2023-02",
        lacks="No time zone: times are taken as UTC. Some 15,600 jobs have not ended.",
        provider=EAGLE,
        source="https://data.openei.org/submissions/5860",
        address="https://data.openei.org/files/5860/eagle_data.parquet",
        also=("eagle_data.csv",),
        terms="CC BY 4.0.",
    ),
    Entry(
        name="eagle-sample",
        file="NREL-Eagle-2019-sample-1000.csv.gz",
        machine="HPE SGI 8600 Eagle at the National Renewable Energy Laboratory",
        processors=2618,
        jobs=1000,
        period="2019-01-01 .. 2019-01-03",
        lacks="The first 1,000 jobs of 2019: too few to learn from. No time zone.",
        provider=EAGLE,
        sha256="848e8dd418dfd5efcb4897c054489c21e0022ced637a6954216aa878e03bb513",
        source="github.com/NREL/eagle-jobs, data/sample_eagle_data.csv",
        terms="BSD 3-Clause, (c) 2023 Alliance for Sustainable Energy, LLC.",
    ),
)
