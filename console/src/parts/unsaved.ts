import { useBlocker } from '@tanstack/react-router'

const SENTENCE = 'Leave the page? The changes are not saved.'

/** Asks before a person leaves a page or closes a dialog with changes that are not saved. */
export function useUnsaved(isDirty: boolean) {
  useBlocker({
    shouldBlockFn: () => isDirty && !confirm(SENTENCE),
    enableBeforeUnload: () => isDirty,
  })
}

/** Closes a dialog, unless it has changes that the person wants to keep. */
export const closing = (isDirty: boolean, close: () => void) => () => {
  if (!isDirty || confirm('Close the dialog? The changes are not saved.')) close()
}
