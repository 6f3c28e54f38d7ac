"""Where shards are counted: in processes of this computer, in tasks of Ray, or in tasks of Spark.

A launcher takes a pure function and shards. It yields what the function returns for each shard, in
any order, and calls it again where a worker was killed.
"""

from __future__ import annotations

import os
import sys
import warnings
from itertools import islice
from typing import TYPE_CHECKING

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.messages import in_short
from bleuet.shards.settings import PROCESSES, RAY, SPARK
from bleuet.statistics.backend import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from typing import Any, TypeAlias

    from bleuet.shards.finding import Shard
    from bleuet.shards.settings import ShardSettings

    Function: TypeAlias = Callable[[Shard], Any]
    Launcher: TypeAlias = Callable[[Function, Sequence[Shard], ShardSettings], Iterator[Any]]

# A shard whose worker ends so many times is not counted again.
ATTEMPTS = 4
# Tasks that wait in a cluster beside those that run.
WAITING = 2


def in_processes(
    function: Function, shards: Sequence[Shard], settings: ShardSettings
) -> Iterator[Any]:
    """Count in processes of this computer.

    Args:
        function: what is done with each shard.
        shards: the shards.
        settings: the number of workers.

    Raises:
        InputError: the process that counts a shard was killed again and again.
    """
    from collections import deque
    from concurrent.futures import FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    waiting = deque((shard, 1) for shard in shards)
    idle: list[Executor] = []
    running: dict[Future[Any], tuple[Executor, Shard, int]] = {}
    most = min(settings.workers or usable_cores(), len(shards))
    try:
        while waiting or running:
            while waiting and len(running) < most:
                shard, attempt = waiting.popleft()
                # Each process is a pool of its own, so that it is known what a killed one counted.
                pool = idle.pop() if idle else _process(function)
                try:
                    running[pool.submit(_call, shard)] = pool, shard, attempt
                except BrokenProcessPool:
                    # It was killed while it waited.
                    pool.shutdown(wait=False)
                    waiting.appendleft((shard, attempt))
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                pool, shard, attempt = running.pop(future)
                try:
                    found = future.result()
                except BrokenProcessPool:
                    pool.shutdown(wait=False)
                    if attempt == ATTEMPTS:
                        raise _killed(shard) from None
                    waiting.append((shard, attempt + 1))
                    continue
                except BaseException:
                    idle.append(pool)
                    raise
                idle.append(pool)
                yield found
    finally:
        for pool in idle:
            pool.shutdown()
        for pool, _, _ in running.values():
            _end(pool)


def _killed(shard: Shard) -> InputError:
    return InputError(
        f"the process that counts {shard.name} was killed {ATTEMPTS} times; it may need more "
        "memory than there is: use fewer processes (--workers), or divide the file"
    )


_function: Function | None = None


def _process(function: Function) -> Executor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_all_start_methods, get_context

    # Forked processes inherit locks of threads that they do not have.
    method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
    context: Any = get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload([__name__, "bleuet.shards.task"])
    return ProcessPoolExecutor(1, context, initializer=_begin, initargs=(function,))


def _begin(function: Function) -> None:
    """Prepare a process: what it calls, and that it ends when the one that started it has ended."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    global _function
    _function = function
    # Ctrl-C is for the process that waits.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    Thread(target=follow, daemon=True).start()


def _call(shard: Shard) -> Any:
    assert _function is not None
    return _function(shard)


def _end(pool: Any) -> None:
    """End a process whatever it does."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    pool.shutdown(cancel_futures=True)


def on_ray(function: Function, shards: Sequence[Shard], settings: ShardSettings) -> Iterator[Any]:
    """Count in tasks of Ray.

    Args:
        function: as of `in_processes`.
        shards: as of `in_processes`.
        settings: the address of a cluster, None for the one that Ray knows or a new one on this
            computer, of which `workers` cores are used.
    """
    workers, address = settings.workers, settings.address
    ray = optional("ray")
    started = not ray.is_initialized()
    if started:
        own: dict[str, Any] = {"num_cpus": workers} if workers and address is None else {}
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        ray.init(address=address, include_dashboard=False, **quiet, **own)
    try:
        # A task that is killed is called again; what is wrong with texts is a result.
        task = ray.remote(max_retries=ATTEMPTS - 1, num_cpus=1)(_with_function)
        shared = ray.put(function)
        most = WAITING * max(1, int(ray.cluster_resources().get("CPU", 1)))
        left = iter(shards)
        running: dict[Any, Shard] = {}
        while True:
            for shard in islice(left, most - len(running)):
                running[task.remote(shared, shard)] = shard
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            for one in done:
                shard = running.pop(one)
                try:
                    found = ray.get(one)
                except ray.exceptions.RayTaskError:
                    # A fault of the function, which would be the same again.
                    raise
                except ray.exceptions.RayError:
                    raise _killed(shard) from None
                yield found
    finally:
        if started:
            ray.shutdown()


def _with_function(function: Function, shard: Shard) -> Any:
    return function(shard)


def on_spark(function: Function, shards: Sequence[Shard], settings: ShardSettings) -> Iterator[Any]:
    """Count in tasks of Spark, some shards for each core at a time.

    Args:
        function: as of `in_processes`.
        shards: as of `in_processes`.
        settings: the address of Spark's master, such as spark://host:7077; None for the session
            that there is, or a new one on this computer with `workers` cores.
    """
    import pickle

    sql = optional("pyspark.sql")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    before = sql.SparkSession.getActiveSession()
    if before is None:
        # A task that fails is tried again; local masters need the number.
        master = settings.address or f"local[{settings.workers or '*'},{ATTEMPTS}]"
        builder = sql.SparkSession.builder.master(master).appName("bleuet")
        for name in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
            builder = builder.config(name, "false")
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    else:
        session = before
    try:
        shared = session.sparkContext.broadcast(pickle.dumps(function))

        def counted(batches: Iterator[Any]) -> Iterator[Any]:
            pyarrow = optional("pyarrow")
            own = pickle.loads(shared.value)
            for batch in batches:
                for packed in batch.column(0).to_pylist():
                    done = pickle.dumps(own(pickle.loads(packed)))
                    yield pyarrow.record_batch([pyarrow.array([done], pyarrow.binary())], ["done"])

        at_once = WAITING * 2 * session.sparkContext.defaultParallelism
        for first in range(0, len(shards), at_once):
            rows = [(pickle.dumps(shard),) for shard in shards[first : first + at_once]]
            with warnings.catch_warnings():
                # About versions of pandas, which is not used.
                warnings.simplefilter("ignore")
                frame = session.createDataFrame(rows, "shard binary").repartition(len(rows))
                try:
                    found = frame.mapInArrow(counted, "done binary").collect()
                except Exception as error:
                    raise InputError(
                        f"Spark could not count a shard in {ATTEMPTS} attempts "
                        f"({in_short(error)}): its workers may need more memory, or bleuet may not "
                        "be installed there"
                    ) from None
            for row in found:
                yield pickle.loads(row.done)
    finally:
        if before is None:
            session.stop()


LAUNCHERS: dict[str, Launcher] = {PROCESSES: in_processes, RAY: on_ray, SPARK: on_spark}


def launch(function: Function, shards: Sequence[Shard], settings: ShardSettings) -> Iterator[Any]:
    """Return an iterator over what a function returns for each shard, in any order.

    Args:
        function: the function.
        shards: the shards, at least one.
        settings: the engine and its settings.
    """
    return LAUNCHERS[settings.engine](function, shards, settings)
