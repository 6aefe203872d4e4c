import { Button, Group } from '@mantine/core'

interface ReviewButtonsProps {
  /** The changed rows with their noun, such as `3 variants`. */
  changed: string
  /** Whether the changes are shown, so that the next click saves them. */
  isReviewing: boolean
  isDirty: boolean
  isDisabled: boolean
  isSaving: boolean
  onDiscard(): void
}

/** The buttons of a grid: they show its changes, then save them, or discard them. */
export function ReviewButtons({ changed, isReviewing, isDirty, isDisabled, isSaving, onDiscard }: ReviewButtonsProps) {
  return (
    <Group>
      <Button type="submit" disabled={isDisabled} loading={isSaving}>
        {isReviewing ? `Save ${changed}` : 'Review the changes'}
      </Button>
      {isDirty && (
        <Button variant="subtle" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </Group>
  )
}
