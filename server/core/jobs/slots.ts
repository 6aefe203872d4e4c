/** The owner of a slot. */
interface SlotHolder {
  store: number
  task: string
}

/** The most slots for all, for each store and for each task; some tasks have less. */
interface SlotMaxima {
  readonly all: number
  readonly store: number
  readonly task: number
  readonly tasks?: ReadonlyMap<string, number>
}

/**
 * The jobs that a process does at once: bounded for all, for each store and for each task, so that none takes the slots of others.
 */
export class Slots {
  readonly #max: SlotMaxima
  readonly #ofStore = new Map<number, number>()
  readonly #ofTask = new Map<string, number>()
  #taken = 0

  constructor(max: SlotMaxima) {
    this.#max = max
  }

  get taken(): number {
    return this.#taken
  }

  ofTask(task: string): number {
    return this.#ofTask.get(task) ?? 0
  }

  /** Slots that are free for this store and this task, or for anybody. */
  room({ store, task }: Partial<SlotHolder> = {}): number {
    return Math.min(
      this.#max.all - this.#taken,
      store === undefined ? Number.POSITIVE_INFINITY : this.#max.store - (this.#ofStore.get(store) ?? 0),
      task === undefined ? Number.POSITIVE_INFINITY : this.#maxOf(task) - this.ofTask(task),
    )
  }

  #maxOf(task: string): number {
    return Math.min(this.#max.task, this.#max.tasks?.get(task) ?? this.#max.task)
  }

  fullStores(): number[] {
    return [...this.#ofStore].filter(([, count]) => count >= this.#max.store).map(([store]) => store)
  }

  take(holder: SlotHolder) {
    this.#add(holder, 1)
  }

  give(holder: SlotHolder) {
    this.#add(holder, -1)
  }

  #add({ store, task }: SlotHolder, change: 1 | -1) {
    this.#taken += change
    this.#ofTask.set(task, this.ofTask(task) + change)
    const ofStore = (this.#ofStore.get(store) ?? 0) + change
    // Stores come and go: only those with a slot are remembered.
    if (ofStore > 0) this.#ofStore.set(store, ofStore)
    else this.#ofStore.delete(store)
  }
}
