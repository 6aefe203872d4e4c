const PLACES_MAX = 10_000

/** A page begins after this id, as long as the resource's counter has this version. */
export interface PagePosition {
  readonly after: number
  readonly version: number
}

/**
 * The first rows of pages of long lists, so that a deep page is found without counting from the first row. Every insert and
 * delete changes the version of the resource's counter in its own transaction: a position is valid while the version is the same.
 * The positions are in the memory of this process, and the oldest is evicted first.
 */
export class PagePositions {
  readonly #places = new Map<string, PagePosition>()

  find(key: string): PagePosition | undefined {
    return this.#places.get(key)
  }

  keep(key: string, place: PagePosition) {
    const known = this.#places.get(key)
    if (known?.after === place.after && known.version === place.version) return
    this.#places.delete(key)
    this.#places.set(key, place)
    if (this.#places.size <= PLACES_MAX) return
    for (const oldest of this.#places.keys()) {
      this.#places.delete(oldest)
      break
    }
  }
}
