/** Gives texts to the browser, which saves them as one file. */
export function saveFile(name: string, texts: readonly string[], type: string) {
  const url = URL.createObjectURL(new Blob([...texts], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
