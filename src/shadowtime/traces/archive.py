"""The logs of the Parallel Workloads Archive that this package knows.

The archive asks its users to name it as the source, to cite the paper below, and to thank the
provider of each log.

References
----------
D. G. Feitelson, D. Tsafrir and D. Krakov, "Experience with using the Parallel Workloads Archive",
J. Parallel and Distributed Computing 74(10), 2014. doi:10.1016/j.jpdc.2014.06.013
"""

from __future__ import annotations

from shadowtime.traces.entry import ARCHIVE_TERMS, Entry

JOBLOG_TERMS = (
    "(c) The Regents of the University of California. Copy, modify and distribute for educational,"
    " research and non-profit purposes; keep the notice in the header and reference the use. "
    + ARCHIVE_TERMS
)

LOGS: tuple[Entry, ...] = (
    Entry(
        name="kth-sp2",
        file="KTH-SP2-1996-2.1-cln.swf.gz",
        machine="IBM SP2 at KTH, Stockholm",
        processors=100,
        jobs=28_476,
        period="1996-09-30 .. 1997-08-29",
        lacks="No queue, memory or application. A good log to start with.",
        provider="Lars Malinowsky",
        sha256="fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
        folder="l_kth_sp2",
    ),
    Entry(
        name="ctc-sp2",
        file="CTC-SP2-1996-3.1-cln.swf.gz",
        machine="IBM SP2 at the Cornell Theory Center",
        processors=338,
        jobs=77_222,
        period="1996-06-26 .. 1997-05-31",
        lacks=(
            "No requested size (the allocated one counts), no memory. 338 is the batch partition"
            " of 512."
        ),
        provider="Dan Dwyer and Steve Hotovy",
        sha256="8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
        folder="l_ctc_sp2",
    ),
    Entry(
        name="sdsc-sp2",
        file="SDSC-SP2-1998-4.2-cln.swf.gz",
        machine="IBM SP2 at the San Diego Supercomputer Center",
        processors=128,
        jobs=59_715,
        period="1998-05-01 .. 2000-04-29",
        lacks=(
            "No memory. No run time for the 9.5% of the jobs that were cancelled before they"
            " started."
        ),
        provider="Victor Hazlewood",
        sha256="2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2",
        folder="l_sdsc_sp2",
        terms=JOBLOG_TERMS,
    ),
    Entry(
        name="sdsc-blue",
        file="SDSC-BLUE-2000-4.2-cln.swf.gz",
        machine="IBM SP Blue Horizon at the San Diego Supercomputer Center",
        processors=1152,
        jobs=243_306,
        period="2000-04-30 .. 2002-12-30",
        lacks="No group, memory or application. Nodes of 8 processors are allocated whole.",
        provider="Travis Earheart and Nancy Wilkins-Diehr",
        sha256="13892839f430583231a14bb811fd50a31b5b529eb37faacdbbefb71e73390e3e",
        folder="l_sdsc_blue",
    ),
    Entry(
        name="hpc2n",
        file="HPC2N-2002-2.2-cln.swf.gz",
        machine="Linux cluster Seth at HPC2N, Umea",
        processors=240,
        jobs=202_871,
        period="2002-08-01 .. 2006-01-16",
        lacks=(
            "No queue or application. No job uses more than 200 processors; one user's 58% are out."
        ),
        provider="Ake Sandgren",
        sha256="77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa",
        folder="l_hpc2n",
    ),
    Entry(
        name="lanl-cm5",
        file="LANL-CM5-1994-4.1-cln.swf.gz",
        machine="Thinking Machines CM-5 at Los Alamos National Laboratory",
        processors=1024,
        jobs=122_060,
        period="1994-10-04 .. 1996-09-24",
        lacks="No request for 9% of the jobs; a third of the others run over it. Sizes 32 to 1024.",
        provider="Curt Canada",
        sha256="4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
        folder="l_lanl_cm5",
    ),
    Entry(
        name="sdsc-ds",
        file="SDSC-DS-2004-2.1-cln.swf.gz",
        machine="IBM DataStar at the San Diego Supercomputer Center",
        processors=1664,
        jobs=96_069,
        period="2004-03-31 .. 2005-04-01",
        lacks="No memory. Three partitions (72, 1368, 224 processors): to be simulated one by one.",
        provider="Victor Hazlewood",
        sha256="76814a412fa415e68ffb8cc0ae801c870988e5577e60275588050332f6b1e690",
        folder="l_sdsc_ds",
        terms=JOBLOG_TERMS,
    ),
    Entry(
        name="llnl-thunder",
        file="LLNL-Thunder-2007-1.1-cln.swf.gz",
        machine="Linux cluster Thunder at Lawrence Livermore National Laboratory",
        processors=4008,
        jobs=121_039,
        period="2007-01-30 .. 2007-06-29",
        lacks="No submit times (the start stands for them), queue or memory. No request for 68%.",
        provider="Moe Jette",
        sha256="aad5a3120a6adf0342d46fb4830e022121cdfbd3de9ecdd9cf10145b8864b6a5",
        folder="l_llnl_thunder",
        missing_estimate="runtime",
    ),
    Entry(
        name="cea-curie",
        file="CEA-Curie-2011-2.1-cln.swf.gz",
        machine="Bullx cluster Curie at CEA TGCC",
        processors=93_312,
        jobs=312_826,
        period="2012-02-03 .. 2012-10-13",
        lacks=(
            "No queue, memory or application; no requested size for 27%. Requests are very loose."
        ),
        provider="Joseph Emeras, CEA/CNRS",
        sha256="b732a04aea71e2f154c8feee580be549d0bba1462bc91ec581944cb3dd6d442d",
        folder="l_cea_curie",
    ),
    Entry(
        name="unilu-gaia",
        file="UniLu-Gaia-2014-1.swf.gz",
        machine="Gaia cluster at the University of Luxembourg",
        processors=2004,
        jobs=51_987,
        period="2014-05-22 .. 2014-08-19",
        lacks=(
            "No requested memory. Not cleaned (the archive recommends 2014-2). Jobs of queue 2 can"
            " be preempted."
        ),
        provider="Joseph Emeras, SnT",
        sha256="e4587af1ae104f023b49b7f6adcd1c5c1d3be42551848f71962dd2c1d49a78c0",
        folder="l_unilu_gaia",
    ),
    Entry(
        name="lpc-egee",
        file="LPC-EGEE-2004-1.2-cln.swf.gz",
        machine="LPC cluster at Clermont-Ferrand, part of the LCG",
        processors=140,
        jobs=234_889,
        period="2004-09-14 .. 2005-05-11",
        lacks=(
            "Serial jobs only: for prediction, not backfilling. Requests are the queues' limits."
            " No request, run time or user for 6% of the jobs."
        ),
        provider="Emmanuel Medernach",
        sha256="c1ddb989e9ed9a5ad8eb29c9b5d809a1db82b3271fa141e6e118e41753f8093b",
        folder="l_lpc",
    ),
    Entry(
        name="sdsc-par",
        file="SDSC-Par-1996-3.1-cln.swf.gz",
        machine="Intel Paragon at the San Diego Supercomputer Center",
        processors=400,
        jobs=32_135,
        period="1995-12-27 .. 1997-01-01",
        lacks=(
            "No requested times, no requested sizes, no memory. 352 of the 400 processors are"
            " batch."
        ),
        provider="Reagan Moore and Allen Downey",
        sha256="fcb46fa6462b7ac460963025749f604f28b2e813101edd082a720842e80a7aa8",
        folder="l_sdsc_par",
        missing_estimate="runtime",
    ),
    Entry(
        name="nasa-ipsc",
        file="NASA-iPSC-1993-3.1-cln.swf.gz",
        machine="Intel iPSC/860 at NASA Ames",
        processors=128,
        jobs=18_239,
        period="1993-10-01 .. 1994-01-01",
        lacks=(
            "No requested times or sizes, waits (the start is the submit time), status, queue or"
            " memory."
        ),
        provider="Bill Nitzberg",
        sha256="9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
        folder="l_nasa_ipsc",
        missing_estimate="runtime",
    ),
)
