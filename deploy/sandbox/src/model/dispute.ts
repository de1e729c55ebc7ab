import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId, refId } from '../state.ts';
import { DAY } from './billing-cycle.rules.ts';

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

type DisputeParts = {
  amount: number;
  reason: string;
};

export const buildDispute = (
  context: Context,
  charge: Stripe.Charge,
  { amount, reason }: DisputeParts,
): Stripe.Dispute => ({
  id: newId('du'),
  object: 'dispute',
  amount,
  balance_transactions: [],
  charge: charge.id,
  created: now(context),
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: structuredClone(NO_EVIDENCE),
  evidence_details: {
    due_by: now(context) + 9 * DAY,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  },
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  network_reason_code: '10.4',
  payment_intent: refId(charge.payment_intent),
  payment_method_details: {
    card: {
      brand: charge.payment_method_details?.card?.brand ?? 'visa',
      case_type: 'chargeback',
      network: charge.payment_method_details?.card?.brand ?? 'visa',
      network_reason_code: '10.4',
    },
    type: 'card',
  },
  reason,
  status: 'needs_response',
});

export const isClosed = ({ status }: Stripe.Dispute): boolean =>
  status === 'won' || status === 'lost' || status === 'warning_closed';
