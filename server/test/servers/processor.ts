/**
 * A limit in milliseconds of processor time for work whose cost is linear in the length of its input. Linear work takes
 * some ms for a million characters; quadratic work takes hours. The rest is room for a busy machine.
 */
export const LINEAR_MS = 5_000

/** The milliseconds of processor time that this process uses for a piece of work. */
export const processorMs = async (work: () => unknown): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
