/**
 * Opens something costly with its first use, once for all who ask. After a failure the next one tries again: a folder may be unreadable for a
 * moment, such as without free file descriptors.
 */
export function openedOnce<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}
