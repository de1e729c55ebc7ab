import { messages } from '@shortlist/contracts/messages';

/** Every text of the emails. A value `amount` is 'none' if the sum is unknown. */
export const mailText = messages({
  greeting: 'Hello {name},',
  greetingWithoutName: 'Hello,',
  openAccount: 'Open your account',
  seeCredits: 'See your credits',
  seeUsage: 'See your usage',
  payInvoice: 'Pay your invoice',
  confirmPayment: 'Confirm your payment',
  subscribeAgain: 'Subscribe again',
  seeAlerts: 'See all alerts',

  seeSecurity: 'See your security settings',
  twoStepOn: 'Two-step verification was turned on',
  twoStepOnText:
    'You now sign in to {brand} with your password and a code from your authenticator app. Keep your recovery codes in a safe place.',
  twoStepOff: 'Two-step verification was turned off',
  twoStepOffText: 'You now sign in to {brand} with your password alone. Your recovery codes no longer work.',
  passkeyAdded: 'A new passkey was added',
  passkeyAddedText: 'You can now sign in to your {brand} account with a new passkey.',
  passkeyRemoved: 'A passkey was removed',
  passkeyRemovedText: 'You can no longer sign in to your {brand} account with this passkey.',
  recoveryCodesRenewed: 'You have new recovery codes',
  recoveryCodesRenewedText:
    'New recovery codes were created for your {brand} account. Your old codes no longer work.',
  recoveryCodeUsed: 'A recovery code was used',
  recoveryCodeUsedText:
    'A recovery code for your {brand} account was used on {date}. {left, plural, =0 {You have no codes left.} one {You have one code left.} other {You have # codes left.}}',
  recoveryCodeUsedNext: 'If this was you, you can create new codes at any time.',
  doneBySupportAlone: 'Our support team made this change.',
  doneBySupport: 'Our support team made this change. Reason: {reason}',

  newKey: 'You have a new API key',
  newKeyText:
    'A new API key was created for your {brand} account. An app that has this key can act on your behalf.',
  keyName: 'Name',
  keyItself: 'Key',
  keyMay: 'Permissions',
  keyMade: 'Created on',
  mayReadCredits: 'read your credits',
  mayChargeCredits: 'use your credits',
  mayReadProfile: 'read your profile',
  newKeyDelete: 'You can delete the key on the Connections page at any time. It then stops working at once.',
  newKeyNotYou: 'If you did not create this key, delete it now, change your password, and contact support.',
  newWebhook: 'A webhook was added to your account',
  newWebhookText:
    'A webhook was added to your {brand} account. We now send events from your account to the address below.',
  webhookHost: 'Address',
  webhookEvents: 'Events',
  newWebhookNotYou:
    'If you did not add this webhook, delete it now, change your password, and contact support.',
  webhookFailing: 'We cannot reach one of your webhooks',
  webhookFailingText: 'No message has reached {host} since {since}.',
  webhookFailingStops:
    'If none arrives by {stopsAt}, we will turn the webhook off. Once your system works again, send a test event from the Connections page.',
  webhookStopped: 'We turned off one of your webhooks',
  webhookStoppedFailing: 'No message had reached {host} for days, so we turned off the webhook.',
  webhookStoppedGone: '{host} responded with 410 (Gone), so we turned off the webhook.',
  webhookTurnOn:
    'You can turn it on again on the Connections page. Its log has the messages you missed, and you can send them again from there.',
  newTool: 'An app was connected to your account',
  newToolText: 'An app was connected to your {brand} account. It can act on your behalf.',
  toolName: 'App',
  toolDevice: 'Device',
  toolConnected: 'Connected on',
  newToolEnd: 'You can disconnect it on the Connections page at any time. It then stops working at once.',
  newToolNotYou:
    'If you did not connect this app, disconnect it now, change your password, and contact support.',
  toolEnded: 'We disconnected an app to protect your account',
  toolEndedText:
    'We disconnected an app from your {brand} account on {date}. It can no longer act on your behalf.',
  toolEndedWhy:
    'A sign-in token of the app was used twice, although each works only once. The app may have a bug, or someone may have copied the token.',
  toolEndedNext:
    'Connect the app again only if you trust the device. Check the Connections page, and disconnect any app that you do not recognize.',
  seeConnections: 'See your connections',

  welcome: 'Welcome to {brand}',
  welcomeCredits:
    'Your account is ready, with {credits} free credits. They last {days} days from the first one you use.',

  resetPassword: 'Set a new password',
  resetRequested: 'We received a request to set a new password for your account.',
  resetLink: 'The link works once and expires in {minutes} minutes.',
  resetIgnore: 'If you did not request this, you can ignore this email. Your password stays the same.',

  invitation: 'You are invited to the {brand} admin panel',
  invitationText:
    'You can join {brand} as an admin with {role, select, owner {the role Owner} support {the role Support} finance {the role Finance} other {the role Read-only}}. Accept the invitation to choose your password.',
  invitationLink: 'The link works once, expires in {days} days, and is only for this address.',
  invitationIgnore: 'If you did not expect this, you can ignore this email.',
  acceptInvitation: 'Accept the invitation',

  ownerAdded: 'The {brand} admin panel has a new owner',
  ownerAddedText:
    '{by, select, operator {An operator created an account with the role Owner.} other {An owner gave an account the role Owner.}} An owner can do everything in the {brand} admin panel.',
  invitationSent: 'An invitation to the {brand} admin panel was sent',
  invitationSentText:
    'An owner sent someone an invitation to join {brand} as an admin with {role, select, owner {the role Owner} support {the role Support} finance {the role Finance} other {the role Read-only}}.',
  teamNotExpected:
    'If you did not expect this, check the team and the audit log now. Withdraw the invitation or suspend the account if it should not be there.',
  seeTeam: 'See the team',

  passwordChanged: 'Your password was changed',
  passwordChangedAt: 'The password for your account was changed on {date}.',
  passwordSetByAdmin: 'An administrator set a new password for your account on {date}.',
  signedOutEverywhere: 'All other devices were signed out.',
  passwordNotYou: 'If you did not expect this, set a new password now and contact support.',
  setPassword: 'Set a new password',

  confirmEmail: 'Confirm your email',
  confirmEmailText: 'Confirm that this address is yours.',
  confirmEmailCode: 'The link expires in {hours} hours. Or enter this code within {minutes} minutes:',
  confirmEmailIgnore: 'If you did not sign up, you can ignore this email.',

  confirmRegistration: 'Finish signing up for {brand}',
  confirmRegistrationText:
    'Confirm your email to create your {brand} account with the password you chose. The link expires in {hours} hours.',
  confirmRegistrationReplaces:
    'An earlier sign-up with this address was never confirmed. Confirming this one deletes it.',
  confirmReminder: 'Confirm your email to keep your account',
  confirmReminderText:
    'You have not confirmed this address yet. Confirm it by {date}, or your {brand} account and everything in it will be deleted.',

  deletionRequested: 'Your {brand} account will be deleted',
  deletionApproaching: 'Your {brand} account is about to be deleted',
  deletedOn: 'As you requested, your {brand} account will be deleted on {date}.',
  keepUntilThen:
    'Nothing is deleted until then. If you change your mind, sign in and keep your account. You have at least {days} days.',
  lastDays:
    'This is the last reminder. To keep your account, sign in before then. After that, nothing can be restored.',
  deletionNotYou:
    'You were signed out everywhere. If you did not request this, sign in, keep your account and change your password.',
  keepAccount: 'Keep my account',
  deletionCancelled: 'You kept your {brand} account',
  keptAccount: 'Your account will not be deleted. Your subscription is as you left it.',
  accountDeleted: 'Your {brand} account was deleted',
  deletedForGood: 'Your {brand} account and everything in it were permanently deleted.',
  invoicesStay: 'We and our payment provider keep invoices for as long as the law requires.',
  lastMail: 'This is the last email we will send you. Thank you for your time with us.',
  visit: 'Visit {brand}',
  dataReady: 'Your data is ready to download',
  dataReadyUntil:
    'The file with your data is ready. Download it within {days} days, by {date}. After that, we delete it.',
  dataNotYou: 'If you did not request this, change your password now.',
  downloadData: 'Download your data',
  confirmNewEmail: 'Confirm your new email',
  confirmNewEmailText:
    'Confirm that this address is yours. It then becomes the email of your {brand} account.',
  confirmNewEmailIgnore: 'If you did not request this, you can ignore this email. Nothing changes.',
  emailTaken: 'This email already has an account',
  emailTakenText:
    'Someone tried to change the email of another {brand} account to this address. Nothing was changed, because this address already has an account.',
  emailTakenNext: 'If this was you, sign in with this address. If not, no action is needed.',
  exampleOf: '[Test] {subject}',
  test: 'Our emails reach you again',
  testText: 'This is a test. Earlier emails from {brand} did not reach this address, but this one did.',
  testNext: 'We now send you emails as before. No action is needed.',
  logIn: 'Log In',
  emailChangeStarted: 'Request to change your email',
  emailChangeStartedText:
    'On {date}, we received a request to change the email of your {brand} account. Nothing changes until the new address is confirmed.',
  emailChangeStartedYours: 'If this was you, no action is needed.',
  emailChangeStartedStop:
    'If this was not you, stop the change now and set a new password. That signs out every device.',
  undoRemoves:
    'It also removes passkeys and two-step verification added since the request, deletes all API keys, disconnects all apps, and turns off all webhooks.',
  stopChange: 'Stop the change',
  emailChanged: 'Your email was changed',
  emailChangedText:
    'The email of your {brand} account was changed on {date}. You now sign in with the new one.',
  emailChangedUndo:
    'If this was not you, undo the change within {days} days and set a new password. That signs out every device.',
  undoChange: 'Undo the change',

  receipt: 'Your {brand} receipt',
  invoiceNumber: 'Invoice',
  invoicePeriod: 'Period',
  fromTo: '{from} to {until}',
  paidOn: 'Paid on',
  amount: 'Amount',
  taxIncluded: 'Tax included',
  downloadInvoice: 'Download the invoice (PDF)',
  invoiceElsewhere: 'Your invoice is in the billing portal.',
  seeInvoices: 'See your invoices',
  received: 'We received {amount} on {date}.',
  nothingToPay: 'There was nothing to pay this time: your discount or your balance covered the full price.',
  paidUntil: 'Your plan is paid until {date}.',

  deviceNamed: '{browser} on {system}',
  deviceUnknown: 'An unknown device',
  newSignIn: 'New sign-in to your {brand} account',
  newSignInWhere:
    'We noticed a sign-in to your account on a new device: {device}{place, select, none {} other {, near {place}}}, on {date}.',
  newSignInYours: 'If this was you, no action is needed.',
  newSignInNotYours:
    'If this was not you, set a new password now. That signs out every device, including the new one.',
  factorsRefused: 'Someone may know your {brand} password',
  factorsRefusedWhy:
    'At least ten sign-ins used your password but a wrong second step, most recently{place, select, none {} other { near {place}}} on {date}. None of them succeeded.',
  factorsRefusedMeans:
    'If this was not you, someone knows your password, and only two-step verification keeps them out.',
  factorsRefusedNext:
    'Set a new password now. If this was you and you lost your authenticator app, sign in with a recovery code.',
  signInsSlowed: 'Someone is trying to sign in to your {brand} account',
  signInsSlowedWhy:
    'Many sign-ins used a wrong password, most recently{place, select, none {} other { near {place}}} on {date}. None of them succeeded.',
  signInsSlowedMeans:
    'New devices now have to wait before they can try again. Devices that you have signed in on before work as usual.',
  signInsSlowedNext:
    'If this was you and you forgot your password, set a new one. If not, a long password that you use nowhere else keeps your account safe.',

  paymentFailed: 'Your payment did not go through',
  couldNotCollect:
    'We could not collect the payment for your plan. Pay the open invoice or update your card.',
  payBefore: 'Your plan stays active until {date}. Pay the invoice by then to keep it.',
  payToReturn: 'Your plan is no longer active. Pay the invoice to get it back.',

  confirmNeeded: 'Confirm your payment',
  bankNeedsConfirmation: 'Your bank needs you to confirm the payment for your plan before it goes through.',
  confirmBefore: 'Your plan stays active until {date}. Confirm the payment by then to keep it.',
  confirmToReturn: 'Your plan is no longer active. Confirm the payment to get it back.',

  packBought: 'Your pack of {credits, number} credits',
  packAdded: 'We received your payment on {date} and added {credits, number} credits to your account.',
  packOnce: 'They are used after the credits of your plan and do not expire. This was a one-time payment.',

  planGranted: 'You now have {brand} Premium',
  grantedUntil: 'Our team gave you Premium until {date}. There is nothing to pay.',

  renewalStopped: 'Your {brand} plan will not renew',
  renewalStoppedText:
    'Your plan was canceled. You keep Premium until {date}. After that, your account is Free and you will not be charged again.',
  renewalStoppedBack: 'If you change your mind, you can resume the plan until then.',
  renewalLimited: 'Your {brand} plan has an end date',
  renewalLimitedText: 'Your plan renews until {date}, then ends. Until then, you are charged as before.',
  renewalResumed: 'Your {brand} plan renews again',
  renewalResumedText: 'Your plan continues. The next payment is due on {date}.',
  manageSubscription: 'Manage your subscription',
  trialEnding: 'Your free trial of {brand} is about to end',
  trialEndingText:
    'Your free trial ends on {date}. Your card is then charged {amount}, before tax and discounts, for {interval, select, year {one year} other {one month}} of Premium, and your plan renews until you cancel.',
  trialEndingPrice:
    'Your free trial ends on {date}. Your card is then charged the price of {interval, select, year {one year} other {one month}} of Premium, and your plan renews until you cancel.',
  trialEndingCancel:
    'If you do not want to continue, cancel your subscription on its page before then. You keep Premium until the trial ends, and nothing is charged.',
  cardExpires: 'Your card is about to expire',
  cardExpiresText:
    'Your {brand, select, visa {Visa card} mastercard {Mastercard card} amex {American Express card} other {payment card}} ending in {last4} expires at the end of {month}.',
  cardExpiresNext:
    'Add a new card before then so that your next payment goes through and you keep Premium. If you already have, no action is needed.',
  updateCard: 'Update your card',

  planEnded: 'Your {brand} plan has ended',
  ended: 'Your Premium plan has ended and your account is now Free. You will not be charged again.',
  endedUnpaid:
    'We could not collect the payment for your plan, so your Premium plan has ended and your account is now Free. Pay the open invoice to get your plan back.',
  endedDisputed:
    'Your bank reversed your payment, so your Premium plan has ended and your account is now Free. You will not be charged again.',

  creditsUsed: 'You have used all your credits',
  nextCredits: 'You have used all {limit} credits for this period. You get new credits on {date}.',
  creditsLow: 'You are running low on credits',
  creditsLeft: 'You have {left} of your {limit} credits left until {date}.',
  creditsLeftInAll: 'You have {left} credits left. The credits of your plan last until {date}.',
  lowFree:
    'You get {limit} new credits then. If you need more before that, Premium includes {premium} credits a month.',
  lowPremium:
    'You get {limit} new credits with your next month of Premium. Until then, contacts that you used a credit for in the last {days} days cost nothing.',
  seePremium: 'See what Premium includes',
  creditsGranted: 'You have {credits, plural, one {# extra credit} other {# extra credits}}',
  creditsGrantedText:
    'We added {credits, plural, one {# extra credit} other {# extra credits}} to your account. You can use them until {date}.',
  whyNews: 'You get this email because news and tips from {brand} are on in your profile.',
  turnOff: 'Turn off these emails',
  creditEmailsOff: 'You can turn off emails about your credits under Credits & Usage in your account.',

  reference: 'Stripe reference: {reference}',
  dispute_opened: 'A payment was disputed',
  dispute_opened_what:
    'A customer disputed a payment{amount, select, none {} other { of {amount}}} with their bank. If it paid for a plan, the plan stays active until the bank decides. If it paid for a pack of credits, what is left of the pack is taken back until then.',
  dispute_opened_next: 'Open the dispute in Stripe to accept it, or to send evidence before the deadline.',
  dispute_lost: 'A dispute was lost',
  dispute_lost_what:
    "The bank decided a dispute{amount, select, none {} other { of {amount}}} in the customer's favor. The money went back to them, and the plan or credits that it paid for have ended.",
  dispute_lost_next: 'No action is needed. Stripe shows the reason the bank gave.',
  early_fraud_warning: 'A payment may be fraudulent',
  early_fraud_warning_what:
    'A card issuer reported that a payment{amount, select, none {} other { of {amount}}} is probably fraudulent.',
  early_fraud_warning_next:
    'Review the payment in Stripe. Refunding it in full now usually avoids a dispute and its fee.',
  payment_of_deleted_user: 'A payment arrived for a deleted account',
  payment_of_deleted_user_what:
    'A payment{amount, select, none {} other { of {amount}}} arrived for a user whose account was deleted.',
  payment_of_deleted_user_next: 'Check below whether it was refunded.',
  late_payment: 'A payment arrived too late',
  late_payment_what:
    'A payment{amount, select, none {} other { of {amount}}} arrived for a period that was already over, so it would have bought nothing.',
  late_payment_next: 'Check below whether it was refunded.',
  subscription_without_user: 'A subscription has no user',
  subscription_without_user_what:
    'Stripe is charging for a subscription{amount, select, none {} other { of {amount}}} that we cannot match to a user, or whose user has a different Stripe customer.',
  subscription_without_user_next:
    'Open the subscription in Stripe. If the customer is paying twice, cancel it there and refund the payment.',
  other_subscription: 'A user has another subscription',
  other_subscription_what:
    'Stripe is charging a user for a subscription{amount, select, none {} other { of {amount}}} in addition to the plan, or instead of it. They cannot subscribe again until this is resolved.',
  other_subscription_next:
    'Open the subscription in Stripe. If it is a mistake, cancel it or move it back to a price of the plan.',
  pack_without_user: 'A pack of credits has no user',
  pack_without_user_what:
    'A payment{amount, select, none {} other { of {amount}}} for a pack of credits came from a Stripe customer that we cannot match to a user, or whose user has a different customer.',
  pack_without_user_next: 'Open the payment in Stripe. Refund it if the customer has no account here.',
  refund_failed: 'A refund failed',
  refund_failed_what:
    'The bank rejected a refund{amount, select, none {} other { of {amount}}}, so the customer did not get the money. The payment counts as paid again.',
  refund_failed_next:
    'Review the refund in Stripe. If you owe the customer the money, pay them back another way.',
  invoice_finalization_failed: 'An invoice could not be finalized',
  invoice_finalization_failed_what:
    'Stripe could not finalize an invoice{amount, select, none {} other { of {amount}}}, so it is not being collected.',
  invoice_finalization_failed_next:
    "Open the invoice in Stripe. Often, the customer's address or the tax settings are incomplete.",
  payer_without_account: 'A paying user has no account',
  payer_without_account_what:
    'Stripe is charging for a subscription{amount, select, none {} other { of {amount}}} whose user has no account, so they cannot sign in. This can happen after a backup was restored.',
  payer_without_account_next:
    'Bring the accounts back with the command `shortlist restored` of identity, or `shortlist accounts recover` of worker if Kafka has lost its events. If this one is lost, open the subscription in Stripe, write to the customer, cancel it there and refund what was not used.',
});
