import Joi from 'joi';
import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { toDecimalString } from '../model/balance-transaction.ts';
import { emit } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { newId, refId } from '../state.ts';
import { defineEndpoint, type Endpoint, retrieveEndpoint } from './endpoint.ts';
import { getById, getReferenced, matches, pageParams, type PageParams, paginate } from './pagination.ts';
import { mergeMetadata, metadataParam, type MetadataPatch, textParam, urlParam } from './params.ts';

type ProductParams = {
  id?: string;
  name: string;
  description?: string;
  active: boolean;
  url?: string;
  metadata?: MetadataPatch;
};

const productParams = Joi.object<ProductParams>({
  id: Joi.string().max(255),
  name: textParam.required(),
  description: textParam.allow(''),
  active: Joi.boolean().default(true),
  url: urlParam,
  metadata: metadataParam,
});

const addProduct = (context: Context, params: ProductParams): Stripe.Product => {
  const id = params.id ?? newId('prod', 14);
  if (context.state.products.has(id)) {
    throw invalidRequest({
      message: `Product already exists: ${id}`,
      code: 'resource_already_exists',
      param: 'id',
    });
  }
  const product: Stripe.Product = {
    id,
    object: 'product',
    active: params.active,
    created: now(context),
    default_price: null,
    description: params.description || null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, params.metadata),
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now(context),
    url: params.url ?? null,
  };
  context.state.products.set(id, product);
  emit(context, 'product.created', product);
  return product;
};

type ProductListParams = PageParams & {
  active?: boolean;
};

const productListParams = Joi.object<ProductListParams>({ ...pageParams, active: Joi.boolean() });

const productPath = '/v1/products';

const listProducts = (context: Context, params: ProductListParams): Stripe.ApiList<Stripe.Product> => {
  const filter = (product: Stripe.Product) => matches(params.active, product.active);
  return paginate(params, { rows: context.state.products.values(), url: productPath, filter });
};

export const productEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path: productPath, params: productParams, handle: addProduct }),
  defineEndpoint({ method: 'get', path: productPath, params: productListParams, handle: listProducts }),
  retrieveEndpoint(`${productPath}/:id`, (context, id) => getById(context.state.products, 'product', id)),
];

type PriceParams = {
  active: boolean;
  currency: string;
  unit_amount: number;
  product?: string;
  product_data?: ProductParams;
  recurring?: { interval: Stripe.Price.Recurring.Interval; interval_count: number };
  lookup_key?: string;
  transfer_lookup_key?: boolean;
  nickname?: string;
  metadata?: MetadataPatch;
};

const priceParams = Joi.object<PriceParams>({
  active: Joi.boolean().default(true),
  currency: Joi.string().lowercase().length(3).required(),
  unit_amount: Joi.number().integer().min(0).required(),
  product: Joi.string(),
  product_data: productParams,
  recurring: Joi.object({
    interval: Joi.string().valid('day', 'week', 'month', 'year').required(),
    interval_count: Joi.number().integer().min(1).default(1),
  }),
  lookup_key: Joi.string().max(200),
  transfer_lookup_key: Joi.boolean(),
  nickname: textParam,
  metadata: metadataParam,
});

const productOf = (context: Context, { product, product_data }: PriceParams): string => {
  if (product_data) return addProduct(context, product_data).id;
  if (product === undefined) {
    throw invalidRequest({
      message: 'Missing required param: product.',
      code: 'parameter_missing',
      param: 'product',
    });
  }
  return getReferenced(context.state.products, { kind: 'product', id: product, param: 'product' }).id;
};

const claimLookupKey = (context: Context, { lookup_key, transfer_lookup_key }: PriceParams): void => {
  if (lookup_key === undefined) return;
  const currentPrice = [...context.state.prices.values()].find((price) => price.lookup_key === lookup_key);
  if (!currentPrice) return;
  if (!transfer_lookup_key) {
    throw invalidRequest({
      message: `A price (\`${currentPrice.id}\`) already uses that lookup key.`,
      param: 'lookup_key',
    });
  }
  currentPrice.lookup_key = null;
};

export const addPrice = (context: Context, params: PriceParams): Stripe.Price => {
  const product = productOf(context, params);
  claimLookupKey(context, params);
  const { recurring } = params;
  const price: Stripe.Price = {
    id: newId('price'),
    object: 'price',
    active: params.active,
    billing_scheme: 'per_unit',
    created: now(context),
    currency: params.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: mergeMetadata({}, params.metadata),
    nickname: params.nickname ?? null,
    product,
    recurring: recurring
      ? { ...recurring, meter: null, trial_period_days: null, usage_type: 'licensed' }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: params.unit_amount,
    unit_amount_decimal: toDecimalString(params.unit_amount),
  };
  context.state.prices.set(price.id, price);
  emit(context, 'price.created', price);
  return price;
};

type ListParams = PageParams & {
  active?: boolean;
  lookup_keys?: string[];
  product?: string;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  active: Joi.boolean(),
  lookup_keys: Joi.array().items(Joi.string()).max(10),
  product: Joi.string(),
});

const path = '/v1/prices';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Price> => {
  const { active, lookup_keys, product } = params;
  const filter = (price: Stripe.Price) =>
    matches(active, price.active) &&
    (lookup_keys === undefined || lookup_keys.includes(price.lookup_key ?? '')) &&
    matches(product, refId(price.product));
  return paginate(params, { rows: context.state.prices.values(), url: path, filter });
};

export const priceEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: priceParams, handle: addPrice }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.prices, 'price', id)),
];
