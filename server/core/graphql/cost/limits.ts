/** The limits of the operations of a schema, checked before their execution. */
export interface GraphLimits {
  /** The complexity of an operation. */
  cost: number
  depth: number
  /** The aliases of a document. */
  aliases: number
  /** The fields of an operation at its root. */
  rootFields: number
  /** The mutations of an operation. */
  mutations: number
  /** The length of a connection without `first` or `last`, the maximum, and the maximum in another connection. */
  length: { usual: number; max: number; nestedMax: number }
}
