"""A film takes long. The program takes a handle, does other work, and reads the result later; it cancels a second film.

```sh
SVC_TOOLKIT_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/long_calls.py
```
"""

import asyncio

from svc import ActionContext, SvcError, Toolkit, Tools, UnfinishedInvocation

FRAMES = 3


def serve_films() -> Toolkit:
    toolkit = Toolkit()

    @toolkit.action(long=True)
    async def render(ctx: ActionContext, seconds_per_frame: float) -> dict[str, int]:
        """Renders a film. Takes up to a day."""
        for frame in range(1, FRAMES + 1):
            async with ctx.cancel_scope():
                await asyncio.sleep(seconds_per_frame)
            ctx.progress(frame, FRAMES, f"frame {frame}")
        return {"frames": FRAMES}

    return toolkit


async def main() -> None:
    toolkit = serve_films()
    running = asyncio.create_task(toolkit.run())
    (action,) = (await toolkit.ready()).accepted
    async with Tools() as tools:
        film = await tools.invoke(action, {"seconds_per_frame": 0.01}, wait=False)
        other = await tools.invoke(action, {"seconds_per_frame": 3_600}, wait=False)
        print("two films are being rendered")
        while isinstance(film, UnfinishedInvocation):
            film = await tools.result(film.invocation_id, wait=30)
        print(film.result)
        await tools.cancel(other.invocation_id)
        try:
            await tools.result(other.invocation_id, wait=30)
        except SvcError as error:
            print(error.code)
    await toolkit.stop()
    await running


if __name__ == "__main__":
    asyncio.run(main())
