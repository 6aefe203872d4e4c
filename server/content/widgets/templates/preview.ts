import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import { Compile } from 'typebox/compile'
import type { Db } from '../../../core/db/database.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { RENDERING } from '../../../shop/templates/bounds.ts'
import { type Renderers, RenderersBusy } from '../../../shop/templates/renderers.ts'
import type { InlineHelper } from '../../../shop/templates/tree.ts'
import type { RenderingOutcome } from '../../../shop/templates/work.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { Configuration, configurationMistakes, withId } from '../configuration.ts'
import { findTemplate, TEMPLATES_PATH, UUID_SEGMENT, UuidParams } from './templates.ts'

const { write } = access('content')

const WIDGET_HELPERS: readonly InlineHelper[] = ['lookup']

const Preview = t.Object(
  { widget_configuration: t.Optional(Configuration) },
  { title: 'WidgetPreview', examples: [{ widget_configuration: { name: 'Robin' } }] },
)
const isPreview = Compile(Preview)
const isUuid = Compile(UuidParams)

/** Renders the current version of a template (docs/contract/widgets.md section 2). */
export function widgetPreviewRoutes(api: Api, { renderers }: { renderers: Renderers }) {
  const rendered = new WeakMap<FastifyRequest, string>()

  // Another process renders, so no transaction may wait for it. An Idempotency-Key opens one around the handler.
  const prepare = async (request: FastifyRequest) => {
    const { db, params, body } = request
    if (!isUuid.Check(params) || !isPreview.Check(body)) throw new Error('A preview was not validated.')
    rendered.set(request, await renderWidget(renderers, db, params.uuid, body.widget_configuration))
  }

  api.post(
    `${TEMPLATES_PATH}/${UUID_SEGMENT}/preview`,
    {
      config: { ...write.config, prepare },
      schema: {
        summary: 'Preview a widget template',
        description:
          'Takes if, unless, each, with and lookup. Other helpers, and templates beyond the limits, are 422.',
        operationId: 'previewWidgetTemplate',
        params: UuidParams,
        body: Preview,
        response: { 200: envelope(t.Object({ html: t.String() }, { title: 'WidgetHtml' })) },
      },
    },
    async (request) => answer({ html: rendered.get(request) ?? '' }),
  )
}

/**
 * The HTML of a widget. Rendering is slow and must not run in a transaction.
 * @param uuid of its template
 * @throws Problem 404, 422 with the position of a mistake, 503 if all renderers are busy
 */
export async function renderWidget(renderers: Renderers, db: Db, uuid: string, configuration = {}): Promise<string> {
  refuse(configurationMistakes(configuration, 'widget_configuration'))
  const { template } = await findTemplate(db, uuid)
  const outcome = await tryRendering(renderers, db, template, withId(configuration, uuid))
  if (!outcome.ok) throw invalid(outcome.faults)
  return outcome.rendered.outputs.template ?? ''
}

/** @throws Problem 503 if all renderers are busy */
export async function tryRendering(
  renderers: Renderers,
  db: Db,
  text: string,
  context: Readonly<Record<string, unknown>>,
): Promise<RenderingOutcome> {
  try {
    return await renderers.render(db.store.id, {
      templates: { template: { text, prints: 'html' } },
      helpers: WIDGET_HELPERS,
      translations: [],
      locale: 'en',
      context,
      bounds: RENDERING,
    })
  } catch (error) {
    if (!(error instanceof RenderersBusy)) throw error
    throw new Problem(503, 'Templates cannot be rendered at the moment.', {}, { headers: { 'retry-after': '1' } })
  }
}
