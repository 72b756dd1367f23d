"""Tests of the api's pure rules: no Django, no sockets."""
