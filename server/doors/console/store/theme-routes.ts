import t from 'typebox'
import type { Files } from '../../../core/files/files.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { findTheme } from '../../../shop/themes/shape.ts'
import { filesOfTheme, pictureOfThemeFile, textOfThemeFile } from '../../../shop/themes/transfer/theme-files.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { dbOf, entryOf, S, text } from './found-store.ts'

export interface ThemeFileParts {
  directory: Directory
  files: Files
}

const ThemePath = t.Object({ store_hash: t.String(), theme_uuid: text(100) })
const FileQuery = t.Object({ path: text(1_000, 1) })

/** The files of themes, which the API of a store has only as archives. */
export function themeFileRoutes(api: Api, { directory, files }: ThemeFileParts) {
  const path = `${S}/themes/:theme_uuid/files`

  api.get(path, { schema: { summary: 'List the files of a theme', params: ThemePath } }, async ({ params }) => {
    const db = await dbOf(directory, await entryOf(directory, params.store_hash))
    const theme = await findTheme(db, params.theme_uuid)
    return new Answer({ data: await filesOfTheme(db, files, theme), meta: {} })
  })

  api.get(
    `${path}/text`,
    { schema: { summary: 'Get the text of a file of a theme', params: ThemePath, querystring: FileQuery } },
    async ({ params, query }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      const found = await textOfThemeFile(db, files, await findTheme(db, params.theme_uuid), query.path)
      if (found === undefined) throw noFile()
      return new Answer({ data: { path: query.path, text: found }, meta: {} })
    },
  )

  api.get(
    `${path}/picture`,
    { schema: { summary: 'Get a picture of a theme', params: ThemePath, querystring: FileQuery } },
    async ({ params, query }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      const found = await pictureOfThemeFile(db, files, await findTheme(db, params.theme_uuid), query.path)
      if (found === undefined) throw noFile()
      const picture = found && { type: found.type, base64: found.bytes.toString('base64') }
      return new Answer({ data: { path: query.path, picture }, meta: {} })
    },
  )
}

const noFile = () => new Problem(404, 'The theme has no such file.')
