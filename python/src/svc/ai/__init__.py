"""The tools of a service in the frameworks of agents: ``from svc.ai.langchain import svc_tools``.

Each package translates for one framework and needs its package; none is loaded here.
"""
