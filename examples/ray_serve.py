"""The server of models behind Ray Serve: several workers, on one machine or on a cluster.

    pip install 'tilewright-serve' 'ray[serve]'
    python examples/ray_serve.py models --workers 2
    curl localhost:8000/v2/models/NAME

Each worker is a process with all models of the folder, which every machine of the cluster needs.
Ray's proxy distributes requests among the workers, but a decoding session exists in one worker
only: do not use keep_session, or run one worker per application.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ray import serve

from tilewright.serve import Settings, create_app


def application(folder: Path, *, workers: int, threads: int) -> serve.Application:
    """Return a Ray Serve application with ``workers`` processes of ``threads`` threads each."""

    def build() -> object:
        return create_app(folder, Settings(threads=threads))

    deployment = serve.deployment(
        serve.ingress(build)(),
        name="tilewright",
        num_replicas=workers,
        ray_actor_options={"num_cpus": threads},
        health_check_period_s=5,
        graceful_shutdown_timeout_s=30,
    )
    return deployment.bind()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    serve.start(http_options={"port": options.port})
    app = application(options.folder.resolve(), workers=options.workers, threads=options.threads)
    serve.run(app, route_prefix="/", blocking=True)


if __name__ == "__main__":
    main()
