"""The server of remote procedure calls: ``python -m tilewright.rpc_server``."""
