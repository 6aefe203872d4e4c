const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A text without markup, cut after whole characters. */
export function plainText(html: string, characters: number): string {
  const text = withoutCode(html)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...text.slice(0, 2 * characters)].slice(0, characters).join('')
}

/** A text without scripts and styles. One that never ends hides the rest of the text. */
function withoutCode(html: string): string {
  const parts: string[] = []
  let from = 0
  for (const { index, 1: name } of html.matchAll(/<(script|style)\b/gi)) {
    if (index < from) continue
    parts.push(html.slice(from, index))
    const end = name?.toLowerCase() === 'script' ? /<\/script/gi : /<\/style/gi
    end.lastIndex = index
    const found = end.exec(html)
    if (!found) return parts.join(' ')
    from = found.index
  }
  return [...parts, html.slice(from)].join(' ')
}
