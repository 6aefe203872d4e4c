/** A WATCH_TOKEN for tests, and the headers that contain it. */
export const WATCH_TOKEN = 'a-token-for-whoever-watches-tests'
export const watching = { authorization: `Bearer ${WATCH_TOKEN}` }
