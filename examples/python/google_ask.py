"""A chat with Gemini, which calls every action there is by itself.

GEMINI_API_KEY=… SVC_AGENT_API_KEY=… python examples/python/google_ask.py "What time is it in Tokyo?"
"""

import asyncio
import os
import sys

from google import genai

from svc.ai.google import svc_functions


async def main(question: str) -> None:
    client = genai.Client()
    chat = client.aio.chats.create(
        model=os.environ.get("GEMINI_MODEL", "gemini-3.8-flash"), config={"tools": svc_functions()}
    )
    response = await chat.send_message(question)
    print(response.text)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "What time is it in Tokyo?"))
