/** A WATCH_TOKEN for tests, and the headers of somebody who knows it. */
export const WATCH_TOKEN = 'a-token-for-whoever-watches-tests'
export const watching = { authorization: `Bearer ${WATCH_TOKEN}` }
