import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';

/**
 * The sandbox speaks the version of the product's client, 2026-10-28.endive; the newest description that was published when the extract
 * was made is older. These fields came with the version, or are described to Stripe's own clients alone.
 */
const LATER_FIELDS: Record<string, string[]> = {
  charge: ['source'],
  'checkout.session': ['allowed_payment_method_types'],
  dispute: ['intended_submission_method', 'network_reason_code'],
  dispute_evidence_details: ['submission_method'],
  payment_intent: ['payment_record', 'source'],
  payment_method_details_card: ['electronic_commerce_indicator'],
  portal_features: ['subscription_pause'],
  product: ['tax_details', 'type'],
  recurring: ['trial_period_days'],
  subscription_item: ['current_trial', 'plan'],
  subscriptions_resource_trial_settings_end_behavior: ['billing_cycle_anchor'],
};

type Published = { $defs: Record<string, { properties: Record<string, object> }> };

const readPublished = async (): Promise<Ajv> => {
  const published = JSON.parse(
    await readFile(new URL('stripe-openapi.json', import.meta.url), 'utf8'),
  ) as Published;
  for (const [name, fields] of Object.entries(LATER_FIELDS))
    for (const field of fields) {
      const { properties = {} } = published.$defs[name] ?? {};
      if (field in properties) throw new Error(`${name}.${field} is published by now`);
      properties[field] = {};
    }
  const ajv = new Ajv({ allErrors: true, strict: false });
  return ajv.addSchema({ ...published, $id: 'stripe' });
};

const ajv = await readPublished();

const validate = (object: { object: string }): string[] => {
  const check = ajv.getSchema(`stripe#/$defs/${object.object}`);
  if (check === undefined) return [`${object.object} is not described`];
  void check(object);
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${object.object}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};

/** Returns how objects of Stripe's differ from its published description. */
export const problemsOf = (objects: { object: string }[]): string[] => [
  ...new Set(objects.flatMap(validate)),
];
