"""Errors of requests, with their HTTP status and gRPC code."""

from __future__ import annotations

from http import HTTPStatus

from ..runtime.abi.library import LoadError
from ..runtime.errors import ArgumentError, Error, OutOfRangeError


class RequestError(Error):
    """A request that the server refuses.

    status: the HTTP status of the response.
    """

    def __init__(
        self,
        rule: str,
        *,
        status: HTTPStatus = HTTPStatus.BAD_REQUEST,
        expected: object = None,
        got: object = None,
        hint: str = "",
    ) -> None:
        self.status = status
        super().__init__(rule, expected=expected, got=got, hint=hint)


GRPC_CODES = {
    HTTPStatus.BAD_REQUEST: "INVALID_ARGUMENT",
    HTTPStatus.NOT_FOUND: "NOT_FOUND",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "RESOURCE_EXHAUSTED",
    HTTPStatus.CONFLICT: "FAILED_PRECONDITION",
    HTTPStatus.TOO_MANY_REQUESTS: "RESOURCE_EXHAUSTED",
    HTTPStatus.SERVICE_UNAVAILABLE: "UNAVAILABLE",
    HTTPStatus.GATEWAY_TIMEOUT: "DEADLINE_EXCEEDED",
    HTTPStatus.REQUEST_TIMEOUT: "DEADLINE_EXCEEDED",
}
"""Names of gRPC status codes; other statuses are INTERNAL."""


def status_of(error: BaseException) -> HTTPStatus:
    """Return the HTTP status with which the server answers a request that raised an error."""
    if isinstance(error, RequestError):
        return error.status
    if isinstance(error, (ArgumentError, OutOfRangeError)):
        return HTTPStatus.BAD_REQUEST
    if isinstance(error, LoadError):
        return HTTPStatus.CONFLICT
    return HTTPStatus.INTERNAL_SERVER_ERROR


def text_of(error: BaseException) -> str:
    """Return the message of an error for a client.

    For an exception that is not of this package, the message says that the model failed, and
    contains the class and the text of the exception.
    """
    if isinstance(error, (Error, MemoryError)):
        return str(error) or type(error).__name__
    return f"the model failed: {type(error).__name__}: {error}"
