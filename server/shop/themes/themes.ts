import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { envelope, Meta } from '../../core/rest/lists/collection.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { notFound, Problem, ProblemBody } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { activeThemes, deleteActiveTheme } from '../channels/active-theme.ts'
import type { CustomTemplates } from './bundle/bundle.ts'
import { hasOpenJob } from './jobs.ts'
import {
  allThemes,
  findTheme,
  lockTheme,
  Theme,
  type ThemeRow,
  ThemeUuid,
  themeUuidSegment,
  variationsOfThemes,
} from './shape.ts'
import { stockBundle } from './stock.ts'
import { removeTheme } from './store.ts'

const Names = t.Array(t.String())
const Templates = t.Object({ product: Names, category: Names, brand: Names, page: Names }, { title: 'CustomTemplates' })

const Held = t.Object(ProblemBody.properties, { description: 'A job is working on the theme' })

/** Themes of a store: listed, shown and deleted (docs/contract/themes.md sections 1, 2 and 7). */
export function themeRoutes(api: Api, files: Files) {
  const { read, write } = access('themes')
  const one = `/themes/${themeUuidSegment('uuid')}`
  const params = t.Object({ uuid: ThemeUuid })

  api.get(
    '/themes',
    {
      ...read,
      schema: {
        summary: 'List the themes',
        description: 'All themes on one page: first the ones that channels show, then the last changed ones.',
        querystring: t.Object(paging, { additionalProperties: false }),
        response: { 200: t.Object({ data: t.Array(Theme), meta: Meta }) },
      },
    },
    async ({ db }) => {
      const themes = await themesToAnswer(db, await allThemes(db))
      return answer(themes.toSorted((one, other) => Number(other.is_active) - Number(one.is_active)))
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a theme', params, response: { 200: envelope(Theme) } } },
    async ({ db, params: { uuid } }) => {
      const [theme] = await themesToAnswer(db, [await findTheme(db, uuid)])
      return answer(theme)
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a theme',
        description:
          'Deletes its variations and configurations, too. The built-in theme, and a theme that a channel shows, cannot be deleted.',
        params,
        response: { 204: t.Null(), 423: Held },
      },
    },
    async ({ db, params: { uuid } }) => {
      await db.transaction(async (tx) => {
        const theme = await lockTheme(tx, uuid)
        if (!theme.is_private) throw new Problem(409, 'This theme comes with the server and cannot be deleted.')
        const showing = (await activeThemes(tx)).filter(({ active_theme_uuid }) => active_theme_uuid === uuid)
        if (showing[0]) {
          throw new Problem(
            409,
            `The channel ${showing[0].channel_id} shows this theme. Activate another one there first.`,
          )
        }
        if (await hasOpenJob(tx, uuid))
          throw new Problem(423, 'A job is working on this theme. Try again after it has ended.')
        await deleteActiveTheme(tx, uuid)
        await removeTheme(tx, files, uuid)
      })
      return noContent()
    },
  )

  api.get(
    `/themes/custom-templates/${themeUuidSegment('version_uuid')}`,
    {
      ...read,
      schema: {
        summary: 'List the custom templates of a theme',
        description: 'File names in `templates/pages/custom`, by kind of page.',
        operationId: 'getThemeCustomTemplates',
        tag: 'Themes',
        params: t.Object({ version_uuid: ThemeUuid }),
        response: { 200: envelope(Templates) },
      },
    },
    async ({ db, params: { version_uuid } }) => {
      const theme = await db.maybeRow<{ custom_templates: CustomTemplates | null }>(sql`
        select custom_templates from themes where store_id = ${db.store.id} and version_uuid = ${version_uuid}`)
      if (!theme) throw notFound('theme version', version_uuid)
      return answer(theme.custom_templates ?? (await stockBundle()).custom_templates)
    },
  )
}

async function themesToAnswer(db: Db, rows: readonly ThemeRow[]): Promise<Static<typeof Theme>[]> {
  const active = new Set((await activeThemes(db)).map(({ active_theme_uuid }) => active_theme_uuid))
  const variations = await variationsOfThemes(
    db,
    rows.map(({ uuid }) => uuid),
  )
  return rows.map(({ uuid, name, is_private, updated_at }) => ({
    uuid,
    name,
    is_private,
    is_active: active.has(uuid),
    updated_at,
    variations: variations.flatMap(({ theme_uuid, ...variation }) => (theme_uuid === uuid ? [variation] : [])),
  }))
}
