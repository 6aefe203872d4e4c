// The sizes in which pictures are sent (docs/contract/storefront-graphql.md section 5).

/** The widths that are made. Those that image components of public shops ask for are among them. */
export const LADDER = [
  16, 32, 40, 48, 64, 96, 128, 256, 320, 384, 500, 640, 750, 828, 1_080, 1_200, 1_280, 1_920, 2_048, 3_840,
] as const
const SIDE_MAX = 3_840

/** A size in an address. Without a height the height follows from the width. */
export type AskedSize = 'original' | { width: number; height: number | undefined }

/** Reads `original`, `640w` or `100x80`. @returns undefined for another text, and for a side of 0 or above 3840 */
export function readSize(text: string): AskedSize | undefined {
  if (text === 'original') return 'original'
  const [, wide, width = wide, height] = /^(?:([1-9]\d{0,3})w|([1-9]\d{0,3})x([1-9]\d{0,3}))$/.exec(text) ?? []
  if (width === undefined || Number(width) > SIDE_MAX || Number(height ?? 0) > SIDE_MAX) return undefined
  return { width: Number(width), height: height === undefined ? undefined : Number(height) }
}

/**
 * The width to make: the next step above the width that fits into the size.
 * @param picture the size of the picture
 */
export function stepFor(
  { width, height }: { width: number; height: number | undefined },
  picture: { width: number; height: number },
): number {
  const fitting = height === undefined ? width : Math.min(width, (height * picture.width) / picture.height)
  return LADDER.find((step) => step >= fitting) ?? SIDE_MAX
}

/** The text of a size in an address. Sides beyond the limits become the nearest possible ones. */
export function writeSize(width: number, height: number | null | undefined): string {
  const side = (length: number) => Math.min(Math.max(length, 1), SIDE_MAX)
  return height == null ? `${side(width)}w` : `${side(width)}x${side(height)}`
}
