import asyncio


async def put(queue, value):
    await asyncio.sleep(0)
    await queue.put(value)


async def test_queue():
    queue = asyncio.Queue()
    other = asyncio.Queue()
    await put(queue, 1)
    await put(other, 2)
    async with asyncio.Lock():
        value = await queue.get()
    assert other.qsize() == 1
    assert value == 2
