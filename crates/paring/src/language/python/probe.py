"""Says what `paring doctor` wants to know of an interpreter, as a line of JSON. Runs on any Python 3."""
import json
import os
import sys


def versions():
    try:
        from importlib import metadata
    except ImportError:
        return None, [], None
    plugins = set()
    for package in metadata.distributions():
        if any(entry.group == "pytest11" for entry in package.entry_points):
            plugins.add("%s %s" % (package.metadata["Name"], package.version))

    def version(name):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    return version("pytest"), sorted(plugin for plugin in plugins if not plugin.startswith("paring ")), version("paring")


pytest, plugins, paring = versions()
print(
    json.dumps(
        {
            "python": sys.version_info[:3],
            "pytest": pytest,
            "plugins": plugins,
            "can_fork": hasattr(os, "fork"),
            "has_monitoring": hasattr(sys, "monitoring"),
            "paring": paring,
        }
    )
)
