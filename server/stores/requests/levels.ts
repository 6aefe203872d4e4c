/** The parts of a request that are stored: none, a line, or a line with the beginnings of both bodies. */
export const LOG_LEVELS = ['off', 'lines', 'bodies'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
