import t from 'typebox'

/** 64 bits in the contract, of which a JSON number holds 53 (docs/contract/conventions.md section 12). */
export const ChannelId = t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The channel that every store has from the start. Until channels are built it is the only one. */
export const FIRST_CHANNEL = 1

/** The ids that channels of the store have. */
export const knownChannels = (ids: readonly number[]): Set<number> => new Set(ids.filter((id) => id === FIRST_CHANNEL))
