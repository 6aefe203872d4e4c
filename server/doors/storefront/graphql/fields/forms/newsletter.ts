import t from 'typebox'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import {
  SubscriberNames,
  subscribeToNewsletter,
  unsubscribeFromNewsletter,
} from '../../../../../customers/subscribers.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { attempt, errorOf, limitCalls } from '../result-errors.ts'

const { email, first_name: firstName, last_name: lastName } = SubscriberNames.properties
const readSubscriber = itemReader(t.Object({ email, firstName, lastName }))
const readEmail = itemReader(t.Object({ email }))

const INVALID = {
  email: () => errorOf('CreateSubscriberEmailInvalidError', 'The email address is invalid.'),
  firstName: () => errorOf('CreateSubscriberFirstNameInvalidError', 'The first name is invalid.'),
  lastName: () => errorOf('CreateSubscriberLastNameInvalidError', 'The last name is invalid.'),
}

async function subscribe(
  { storefront: { db, channel } }: StorefrontCaller,
  { email, firstName, lastName }: { email: string; firstName?: string | null; lastName?: string | null },
) {
  const read = await attempt(async () =>
    readSubscriber({ email, firstName: firstName ?? '', lastName: lastName ?? '' }),
  )
  if (read.problem) {
    const { errors } = read.problem
    return (['email', 'firstName', 'lastName'] as const).filter((name) => name in errors).map((name) => INVALID[name]())
  }
  const { email: address, firstName: first_name, lastName: last_name } = read.result
  const stored = await attempt(() =>
    db.transaction((tx) => subscribeToNewsletter(tx, { email: address, first_name, last_name, channel_id: channel })),
  )
  if (stored.problem && stored.problem.status !== 409)
    return [errorOf('CreateSubscriberUnexpectedError', stored.problem.message)]
  if (!stored.problem && stored.result) return []
  return [errorOf('CreateSubscriberAlreadyExistsError', 'The email address is subscribed already.')]
}

async function unsubscribe({ storefront: { db } }: StorefrontCaller, email: string) {
  const read = await attempt(async () => readEmail({ email }))
  if (read.problem) return [errorOf('RemoveSubscriberEmailInvalidError', 'The email address is invalid.')]
  await db.transaction((tx) => unsubscribeFromNewsletter(tx, email))
  return []
}

/** Subscriptions to the newsletter. Nobody learns from `unsubscribe` whether an address was subscribed. */
export const newsletterFields: Fields<'NewsletterMutations'> = {
  NewsletterMutations: {
    async subscribe(_, { input }, caller) {
      await limitCalls(caller)
      return { errors: await subscribe(caller, input) }
    },
    async unsubscribe(_, { input }, caller) {
      await limitCalls(caller)
      return { errors: await unsubscribe(caller, input.email) }
    },
  },
}
