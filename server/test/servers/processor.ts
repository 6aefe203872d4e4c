/**
 * Milliseconds of processor time that nothing takes whose cost grows with the length of its input: such work takes some ms for
 * a million characters, and hours where each is looked at beside each other. The rest is room for a busy machine.
 */
export const LINEAR_MS = 5_000

/** The milliseconds of processor time that this process takes for a piece of work. */
export const processorMs = async (work: () => unknown): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
