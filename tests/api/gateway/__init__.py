"""Tests of the gateway against PostgreSQL, Valkey and a real model server."""
