import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, Line, Text } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { collection, envelope } from '../../../core/rest/lists/collection.ts'
import { lockCounter, lockCounters } from '../../../core/rest/lists/counters.ts'
import { removeAll } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { ChannelId, FIRST_CHANNEL, knownChannels, unknownChannel } from '../../../shop/channels/channels.ts'
import { lockLiveChannelsShared } from '../../../shop/channels/live-channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { Configuration, configurationMistakes } from '../configuration.ts'
import { type PageKey, pageMistakes, storedEntityType } from '../placements/files.ts'
import { PAGE_WIDGETS_MAX } from '../placements/placements.ts'
import { placements } from '../placements/rows.ts'
import { TEXT_TEMPLATE } from '../templates/builtin.ts'
import { isUsableOn, lockTemplatesShared, type UsableTemplate } from '../templates/rows.ts'

const { read, write } = access('content')

const PAGE_LAYOUTS_MAX = 150
const REGIONS_MAX = 150
/** Most layouts and widgets of all published pages of a channel. */
const CHANNEL_LAYOUTS_MAX = 10_000
const CHANNEL_WIDGETS_MAX = 50_000

const Uuid = t.String({ format: 'uuid' })
const PageWidget = t.Object(
  {
    type: t.Literal('widget'),
    widget_template_uuid: Uuid,
    name: Line,
    description: Text,
    configuration: Configuration,
    storefront_api_query_params: Configuration,
  },
  { title: 'PageWidget' },
)
type PageWidget = Static<typeof PageWidget>
const Layout = t.Object(
  {
    type: t.Literal('layout'),
    layout_template_uuid: t.String({ format: 'uuid', description: 'Read-only' }),
    name: Line,
    configuration: Configuration,
    dropzones: t.Array(
      t.Object({ configuration: Configuration, widgets: t.Array(PageWidget) }, { title: 'PageDropzone' }),
    ),
  },
  { title: 'PageLayout' },
)
const Region = t.Object({ name: Line, children: t.Array(t.Union([Layout, PageWidget])) }, { title: 'PageRegion' })
type Region = Static<typeof Region>

const WidgetInput = t.Object(
  { ...t.Partial(PageWidget).properties, type: t.Optional(t.Enum(['widget'])) },
  { title: 'PageWidgetInput' },
)
type WidgetInput = Static<typeof WidgetInput>
/** A layout if it has dropzones, else a widget. */
const ChildInput = t.Object(
  {
    ...WidgetInput.properties,
    type: t.Optional(t.Enum(['layout', 'widget'])),
    dropzones: t.Optional(
      t.Array(t.Object({ configuration: t.Optional(Configuration), widgets: t.Optional(t.Array(WidgetInput)) })),
    ),
  },
  { title: 'PageRegionChild' },
)
type ChildInput = Static<typeof ChildInput>
const PageInput = t.Object(
  {
    regions: t.Array(t.Object({ name: Line, children: t.Optional(t.Array(ChildInput)) }), { maxItems: REGIONS_MAX }),
    template_file: t.Optional(Line),
    entity_id: t.Optional(t.String({ maxLength: 64 })),
    channel_id: t.Optional(ChannelId),
  },
  {
    title: 'PageWidgets',
    examples: [
      {
        template_file: 'pages/home',
        regions: [
          {
            name: 'home_below_headline',
            children: [
              { type: 'widget', widget_template_uuid: TEXT_TEMPLATE, configuration: { text: 'Good morning' } },
            ],
          },
        ],
      },
    ],
  },
)

/**
 * The widgets of a page that were published together, as one document: regions with widgets, or with layouts whose dropzones have widgets.
 * Publishing a page replaces its document and the placements that it shows. Widgets of a document have no uuid of their own
 * (docs/contract/widgets.md section 5).
 */
export const publishedPages = collection(
  'page_widgets',
  t.Object({ id: Id, channel_id: ChannelId, template_file: Line, entity_id: Line, regions: t.Array(Region) }),
  { noun: 'page', filters: '', hidden: ['entity_type', 'layouts', 'widgets'] },
)

/** Routes of page widgets (docs/contract/widgets.md section 5). */
export function pageWidgetRoutes(api: Api) {
  const path = '/content/page-widgets'

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'Get the widgets of a page',
        description: 'Without template_file the regions of all pages.',
        operationId: 'getPageWidgets',
        querystring: t.Object({
          channel_id: t.Optional(ChannelId),
          template_file: t.Optional(Line),
          entity_id: t.Optional(t.String({ maxLength: 64 })),
        }),
        response: { 200: envelope(t.Object({ regions: t.Array(Region) }, { title: 'PageRegions' })) },
      },
    },
    async ({ db, query: { channel_id = FIRST_CHANNEL, template_file = '', entity_id = '' } }) => {
      const key = { channel_id, template_file, entity_id }
      const [mistake] = Object.values(keyMistakes(key))
      if (mistake !== undefined) throw new Problem(422, `The query is not valid: ${mistake}`)
      if (!(await knownChannels(db, [channel_id])).has(channel_id)) throw unknownChannel(channel_id)
      return answer({ regions: await regionsOf(db, key) })
    },
  )

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Replace the widgets of a page',
        description: 'Replaces all widgets that the page shows. An empty list of regions removes them.',
        operationId: 'replacePageWidgets',
        body: PageInput,
      },
    },
    async ({ db, body: { channel_id = FIRST_CHANNEL, template_file = '', entity_id = '', regions } }) => {
      const key = { channel_id, template_file, entity_id }
      await db.transaction((tx) => publishPageWidgets(tx, key, regions))
      return noContent()
    },
  )
}

interface ChannelPage extends PageKey {
  channel_id: number
}

const keyMistakes = (key: ChannelPage): Mistakes => {
  if (key.template_file !== '') return pageMistakes(key)
  return key.entity_id === '' ? {} : { entity_id: 'entity_id needs a template_file.' }
}

/** The regions of a page: the published ones, with the active placements that name a region behind them. */
async function regionsOf(db: Db, key: ChannelPage): Promise<Region[]> {
  const isThere = isOfPage(db, key)
  const [page, placed] = await Promise.all([
    db.maybeRow<{ regions: Region[] }>(sql`select regions from page_widgets where ${isThere}`),
    db.rows<Omit<PageWidget, 'type' | 'storefront_api_query_params'> & { region: string }>(sql`
      select placement.region, widget.widget_template_uuid, widget.name, widget.description,
        widget.widget_configuration as configuration
      from (select * from widget_placements where ${isThere} and ${IS_SHOWN}) placement
      join widgets widget on widget.store_id = ${db.store.id} and widget.uuid = placement.widget_uuid
      order by placement.region collate "C", placement.sort_order, placement.id`),
  ])
  const regions = (page?.regions ?? []).map(({ name, children }) => ({ name, children: [...children] }))
  for (const { region, ...widget } of placed) {
    const child: PageWidget = { type: 'widget', ...widget, storefront_api_query_params: {} }
    const found = regions.find(({ name }) => name === region)
    if (found) found.children.push(child)
    else regions.push({ name: region, children: [child] })
  }
  return regions
}

const isOfPage = ({ store }: Pick<Db, 'store'>, { channel_id, template_file, entity_id }: ChannelPage) => sql`
  store_id = ${store.id} and channel_id = ${channel_id} and template_file = ${template_file} and entity_id = ${entity_id}`

/** The placements that a page shows. */
const IS_SHOWN = sql`status = 'active' and region <> ''`

/**
 * Replaces everything that a page shows, by six statements for any number of widgets.
 * @throws Problem 422 with all mistakes, 403 beyond a limit of the channel
 */
export async function publishPageWidgets(tx: Tx, key: ChannelPage, inputs: Static<typeof PageInput>['regions']) {
  const mistakes = keyMistakes(key)
  const { regions, layouts, widgets } = readRegions(inputs, mistakes)
  // Counters are locked first, as by requests that create or delete placements.
  const locked = await lockCounters(tx, [publishedPages.table, placements.table])
  if (!locked.includes(publishedPages.table)) await lockCounter(tx, publishedPages.table)
  if (!(await lockLiveChannelsShared(tx, [key.channel_id])).has(key.channel_id)) {
    mistakes.channel_id = unknownId('channel', key.channel_id)
  }
  const templates = await lockTemplatesShared(
    tx,
    widgets.map(({ uuid }) => uuid),
  )
  for (const { uuid, path } of widgets) {
    const template = templates.get(uuid)
    if (!template || !isUsableOn(key.channel_id, template)) {
      mistakes[`${path}.widget_template_uuid`] ??= unknownId('widget template', uuid)
    }
  }
  refuse(mistakes)
  await removeAll(tx, placements, sql`${isOfPage(tx, key)} and ${IS_SHOWN}`)
  if (regions.length === 0) {
    await removeAll(tx, publishedPages, isOfPage(tx, key))
    return
  }
  const page = await storePage(tx, key, { regions, layouts, widgets: widgets.length })
  await storeVersions(tx, page, [...templates.values()])
}

interface ReadPage {
  regions: Region[]
  layouts: number
  /** The templates that its widgets name, and the paths of these. */
  widgets: { uuid: string; path: string }[]
}

/** Reads the regions of a body, and adds their mistakes. Pure but for the uuids of layouts. */
function readRegions(inputs: Static<typeof PageInput>['regions'], mistakes: Mistakes): ReadPage {
  const widgets: ReadPage['widgets'] = []
  let layouts = 0
  const readWidget = (input: WidgetInput, path: string): PageWidget => {
    const { widget_template_uuid, name = '', description = '', configuration = {} } = input
    const { storefront_api_query_params = {} } = input
    Object.assign(mistakes, configurationMistakes(configuration, `${path}.configuration`))
    Object.assign(mistakes, configurationMistakes(storefront_api_query_params, `${path}.storefront_api_query_params`))
    if (widget_template_uuid === undefined) mistakes[`${path}.widget_template_uuid`] = 'error.path.missing'
    const uuid = widget_template_uuid?.toLowerCase() ?? ''
    widgets.push({ uuid, path })
    return { type: 'widget', widget_template_uuid: uuid, name, description, configuration, storefront_api_query_params }
  }
  const readChild = (input: ChildInput, path: string): Region['children'][number] => {
    const { type, dropzones, name = '', configuration = {} } = input
    if (type === 'widget' || (type === undefined && !dropzones)) return readWidget({ ...input, type: 'widget' }, path)
    layouts++
    Object.assign(mistakes, configurationMistakes(configuration, `${path}.configuration`))
    return {
      type: 'layout',
      layout_template_uuid: newUuid(),
      name,
      configuration,
      dropzones: (dropzones ?? []).map(({ configuration = {}, widgets = [] }, i) => ({
        configuration,
        widgets: widgets.map((widget, j) => readWidget(widget, `${path}.dropzones.${i}.widgets.${j}`)),
      })),
    }
  }
  const regions = inputs.map(({ name, children = [] }, i) => ({
    name,
    children: children.map((child, j) => readChild(child, `regions.${i}.children.${j}`)),
  }))
  if (layouts > PAGE_LAYOUTS_MAX) mistakes.regions = `A page can have at most ${PAGE_LAYOUTS_MAX} layouts.`
  if (widgets.length > PAGE_WIDGETS_MAX) mistakes.regions = `A page can have at most ${PAGE_WIDGETS_MAX} widgets.`
  return { regions, layouts, widgets }
}

/** Stores the document of a page by one statement, which also takes an id and counts. @returns its id. @throws Problem 403 */
async function storePage(
  tx: Tx,
  key: ChannelPage,
  { regions, layouts, widgets }: { regions: Region[]; layouts: number; widgets: number },
): Promise<number> {
  const { table } = publishedPages
  const stored = await tx.row<{ id: number; layouts: number; widgets: number }>(
    prepared(sql`
    with existing as (select id from page_widgets where ${isOfPage(tx, key)}),
    next as (
      update counters set last_id = last_id + 1, total = total + 1, version = version + 1
      where store_id = ${tx.store.id} and resource = ${table} and not exists (select from existing)
      returning last_id
    ),
    others as (
      select coalesce(sum(layouts), 0)::int as layouts, coalesce(sum(widgets), 0)::int as widgets from page_widgets
      where store_id = ${tx.store.id} and channel_id = ${key.channel_id} and not exists (
        select from existing where existing.id = page_widgets.id)
    ),
    stored as (
      insert into page_widgets (
        store_id, id, channel_id, template_file, entity_type, entity_id, regions, layouts, widgets)
      select ${tx.store.id}, coalesce((select id from existing), (select last_id from next)), ${key.channel_id},
        ${key.template_file}, ${storedEntityType(key)}, ${key.entity_id}, ${JSON.stringify(regions)}::jsonb, ${layouts}, ${widgets}
      on conflict (store_id, id) do update set
        regions = excluded.regions, layouts = excluded.layouts, widgets = excluded.widgets
      returning id
    )
    select stored.id, others.layouts, others.widgets from stored, others`),
  )
  if (stored.layouts + layouts > CHANNEL_LAYOUTS_MAX) {
    throw new Problem(403, `A channel can have at most ${CHANNEL_LAYOUTS_MAX} layouts.`)
  }
  if (stored.widgets + widgets > CHANNEL_WIDGETS_MAX) {
    throw new Problem(403, `A channel can have at most ${CHANNEL_WIDGETS_MAX} widgets on its pages.`)
  }
  return stored.id
}

/** Stores the versions that a page uses, in place of the former ones: those that are current now. */
const storeVersions = (tx: Tx, page: number, templates: readonly UsableTemplate[]) =>
  tx.rows(
    prepared(sql`
    with gone as (
      delete from page_widget_versions where store_id = ${tx.store.id} and page_id = ${page}
        and widget_template_uuid <> all(${templates.map(({ uuid }) => uuid)})
    )
    insert into page_widget_versions (store_id, page_id, widget_template_uuid, version_uuid)
    select ${tx.store.id}, ${page}, uuid, current_version_uuid
    from ${sql.table('used', templates, { uuid: 'text', current_version_uuid: 'text' })}
    on conflict (store_id, page_id, widget_template_uuid) do update set version_uuid = excluded.version_uuid`),
  )
