/** The channel that every store has from the start. Until channels are built it is the only one. */
export const FIRST_CHANNEL = 1

/** Those of the ids that no channel of the store has. */
export const missingChannels = (ids: readonly number[]): number[] => ids.filter((id) => id !== FIRST_CHANNEL)
