"""Where shards are counted: in processes of this computer, in tasks of Ray, or in tasks of Spark.

A launcher takes a pure function and shards. It yields what the function returns for each shard, in
any order, and calls it again where a worker was killed.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.messages import in_short
from bleuet.output.descriptor import STANDARD_ERROR, STANDARD_OUTPUT
from bleuet.output.destination import Destination
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
SECONDS_TO_CONNECT = 10
_HOST_AND_PORT = re.compile(r"(?:\w+://)?([\w.-]+):([0-9]+)")


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
    # Ray prints on standard output that a worker was killed, for example.
    with _printing_as_messages():
        yield from _results_of_ray(function, shards, settings)


def _results_of_ray(
    function: Function, shards: Sequence[Shard], settings: ShardSettings
) -> Iterator[Any]:
    workers, address = settings.workers, settings.address
    ray = optional("ray")
    started = not ray.is_initialized()
    if started:
        own: dict[str, Any] = {"num_cpus": workers} if workers and address is None else {}
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        _check_reachable("Ray", address)
        try:
            ray.init(address=address, include_dashboard=False, **quiet, **own)
        except Exception as error:  # Ray has no class of its own for them
            ray.shutdown()
            raise _no_cluster("Ray", address, error) from None
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
                except ray.exceptions.RayTaskError as error:
                    # A fault of the function, which would be the same again.
                    raise error.cause from error
                except ray.exceptions.RayError:
                    raise _killed(shard) from None
                yield found
    finally:
        if started:
            ray.shutdown()


@contextmanager
def _printing_as_messages() -> Iterator[None]:
    """In the process of a command, let libraries print on standard error.

    The program itself prints nothing before all shards are counted.
    """
    if not Destination.is_program:
        yield
        return
    kept = os.dup(STANDARD_OUTPUT)
    os.dup2(STANDARD_ERROR, STANDARD_OUTPUT)
    try:
        yield
    finally:
        # What they have printed and Python holds back.
        sys.stdout.flush()
        os.dup2(kept, STANDARD_OUTPUT)
        os.close(kept)


def _check_reachable(name: str, address: str | None) -> None:
    """Raise an error if nobody listens at the host and port of an address.

    The libraries try it for minutes.
    """
    from socket import create_connection

    found = _HOST_AND_PORT.fullmatch(address or "")
    if found is None:
        return
    try:
        create_connection((found[1], int(found[2])), timeout=SECONDS_TO_CONNECT).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(name, address, error) from None


def _no_cluster(name: str, address: str | None, error: Exception) -> InputError:
    if address is None:
        return InputError(
            f"{name} cannot be started on this computer ({in_short(error)}): check its "
            "installation, or use --engine processes"
        )
    return InputError(
        f"there is no cluster of {name} at {address} ({in_short(error)}): check --address, and "
        "that the cluster runs"
    )


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
        _check_reachable("Spark", settings.address)
        try:
            session = builder.getOrCreate()
            session.sparkContext.setLogLevel("ERROR")
        except Exception as error:  # of Java, and of the socket to it
            raise _no_cluster("Spark", settings.address, error) from None
    else:
        session = before
    try:
        for row in _rows_of_spark(session, function, shards):
            yield pickle.loads(row.done)
    finally:
        if before is None:
            # Java may have ended by itself.
            with suppress(Exception):
                session.stop()


def _rows_of_spark(session: Any, function: Function, shards: Sequence[Shard]) -> Iterator[Any]:
    """Yield a row with the pickled result of each shard.

    Raises:
        InputError: a task failed again and again, or Spark has ended.
    """
    import pickle

    def counted(batches: Iterator[Any]) -> Iterator[Any]:
        pyarrow = optional("pyarrow")
        call = pickle.loads(shared.value)
        for batch in batches:
            for packed in batch.column(0).to_pylist():
                done = pickle.dumps(call(pickle.loads(packed)))
                yield pyarrow.record_batch([pyarrow.array([done], pyarrow.binary())], ["done"])

    try:
        shared = session.sparkContext.broadcast(pickle.dumps(function))
        at_once = WAITING * 2 * session.sparkContext.defaultParallelism
        for first in range(0, len(shards), at_once):
            packed = [(pickle.dumps(shard),) for shard in shards[first : first + at_once]]
            with warnings.catch_warnings():
                # About versions of pandas, which is not used.
                warnings.simplefilter("ignore")
                frame = session.createDataFrame(packed, "shard binary").repartition(len(packed))
                rows = frame.mapInArrow(counted, "done binary").collect()
            yield from rows
    except Exception as error:
        raise InputError(
            f"Spark could not count a shard in {ATTEMPTS} attempts ({in_short(error)}): its "
            "workers may need more memory, bleuet may not be installed there, or Spark has ended"
        ) from None


LAUNCHERS: dict[str, Launcher] = {PROCESSES: in_processes, RAY: on_ray, SPARK: on_spark}


def launch(function: Function, shards: Sequence[Shard], settings: ShardSettings) -> Iterator[Any]:
    """Return an iterator over what a function returns for each shard, in any order.

    Args:
        function: the function.
        shards: the shards, at least one.
        settings: the engine and its settings.
    """
    return LAUNCHERS[settings.engine](function, shards, settings)
