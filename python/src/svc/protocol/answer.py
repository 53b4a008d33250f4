"""JSON objects of the service as dictionaries with attributes."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from inspect import get_annotations
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, get_args, get_origin

if TYPE_CHECKING:
    from _typeshed import SupportsKeysAndGetItem

    # mypy infers the type of `{**answer}` from a protocol that is named, not from the overloads of the keys.
    class _Object(dict[str, Any], SupportsKeysAndGetItem[str, Any]): ...
else:
    _Object = dict


class Answer(_Object):
    """A JSON object of the service: ``answer["invocationId"]`` is ``answer.invocation_id``.

    It is a dictionary in every other way. Members that this version does not know are kept; an absent optional member
    reads as ``None`` by its attribute. The results of actions, payloads and schemas inside are plain JSON.

    A subclass annotates its attributes. The test of the answers compares the types of its keys with them.
    """

    _nested: ClassVar[tuple["_Nested", ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, annotation in get_annotations(cls).items():
            key, alternatives = to_key(name), _alternatives(annotation)
            setattr(cls, name, _Attribute(key, is_optional=NoneType in alternatives))
            cls._nested += tuple(_Nested(key, *found) for found in map(_answer_in, alternatives) if found is not None)

    def __init__(self, members: Mapping[str, Any], /) -> None:
        dict.__init__(self, members)
        for key, answer, is_list in self._nested:
            if key not in self:
                continue
            value = self[key]
            if is_list and isinstance(value, list):
                self[key] = [answer(each) if isinstance(each, dict) else each for each in value]
            elif isinstance(value, dict) and not is_list:
                self[key] = answer(value)

    # Type checkers would take it for an attribute of every name.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if hasattr(type(self), name):
                raise AttributeError(f"This {type(self).__name__} has no {name!r}: the service did not send it")
            near = get_close_matches(to_attribute(name), [each for each in dir(self) if each[0] != "_"])
            advice = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{advice}")


class _Nested(NamedTuple):
    key: str
    answer: type[Answer]
    is_list: bool


class _Attribute:
    def __init__(self, key: str, *, is_optional: bool) -> None:
        self._key = key
        self._is_optional = is_optional

    def __get__(self, answer: Answer | None, owner: type[Answer]) -> object:
        if answer is None:
            return self
        if self._is_optional or self._key in answer:
            return answer.get(self._key)
        raise AttributeError(self._key)

    def __set__(self, answer: Answer, value: object) -> NoReturn:
        raise AttributeError(f"Attributes are read-only: write answer[{self._key!r}] = … to change a copy")


def _alternatives(annotation: object) -> tuple[object, ...]:
    """The members of a union; any other type alone."""
    return get_args(annotation) if NoneType in get_args(annotation) else (annotation,)


def _answer_in(annotation: object) -> tuple[type[Answer], bool] | None:
    """The answer that is a member, and whether the member is a list of them."""
    origin: object = get_origin(annotation)
    is_list = origin is list
    member = get_args(annotation)[0] if is_list else annotation
    return (member, is_list) if isinstance(member, type) and issubclass(member, Answer) else None


def to_key(attribute: str) -> str:
    """``invocation_id`` -> ``invocationId``."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), attribute)


def to_attribute(key: str) -> str:
    """``invocationId`` -> ``invocation_id``."""
    return re.sub(r"(?<=.)[A-Z]", lambda found: f"_{found[0].lower()}", key)
