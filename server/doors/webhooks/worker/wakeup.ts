/** Wakes a loop that waits. A loop at work does not hear it, but looks for work again before it waits. */
export class Bell {
  #listener: (() => void) | undefined
  #restedAt = 0

  /** Until this time has passed, only `ring` wakes the loop, not `ringIfRested`. */
  rest(ms: number) {
    this.#restedAt = performance.now() + ms
  }

  /** Waits until somebody rings. */
  heard(): Promise<void> {
    return new Promise((resolve) => {
      this.#listener = resolve
    })
  }

  ring() {
    this.#listener?.()
    this.#listener = undefined
  }

  ringIfRested() {
    if (performance.now() >= this.#restedAt) this.ring()
  }
}
