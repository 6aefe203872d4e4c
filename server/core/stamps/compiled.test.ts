import { describe, expect, test } from 'vitest'
import { CompiledData, CompiledMemory } from './compiled.ts'

const store = (id: number) => ({ id, hash: `store${id}`, limits: {} })

/** Reads the data of a store. @returns whether it was loaded for that */
async function read(data: CompiledData<string>, id: number, stamp: number, bytes = 10) {
  let isLoaded = false
  const value = await data.get(store(id), stamp, async () => {
    isLoaded = true
    return { value: `${id} at ${stamp}`, bytes }
  })
  expect(value).toBe(`${id} at ${stamp}`)
  return isLoaded
}

describe('compiled data of a store', () => {
  test('is loaded once for a stamp, and again for another one', async () => {
    const memory = new CompiledMemory()
    const data = new CompiledData<string>(memory)
    expect(await read(data, 1, 7)).toBe(true)
    expect(await read(data, 1, 7)).toBe(false)
    expect(await read(data, 1, 8)).toBe(true)
    expect(await read(data, 2, 8)).toBe(true)
    expect(memory.bytes).toBe(20)
  })

  test('never takes more than the memory of all stores: the data that was used the longest time ago goes first', async () => {
    const memory = new CompiledMemory(30)
    const [data, other] = [new CompiledData<string>(memory), new CompiledData<string>(memory)]
    for (const id of [1, 2]) await read(data, id, 1)
    await read(other, 1, 1)
    await read(data, 1, 1)
    expect(await read(other, 4, 1)).toBe(true)
    expect(memory.bytes).toBe(30)
    expect(await read(data, 1, 1)).toBe(false)
    expect(await read(other, 1, 1)).toBe(false)
    expect(await read(data, 2, 1)).toBe(true)
  })

  test('that is larger than the memory is returned and not kept', async () => {
    const memory = new CompiledMemory(30)
    const data = new CompiledData<string>(memory)
    await read(data, 1, 1)
    expect(await read(data, 2, 1, 31)).toBe(true)
    expect(memory.bytes).toBe(0)
    expect(await read(data, 2, 1, 31)).toBe(true)
  })
})
