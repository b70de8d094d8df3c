# A program as a user of OpenAPI::Client writes it. Usage: perl openapi-client.pl DOCUMENT API-URL
use strict;
use warnings;
use Mojo::JSON qw(encode_json true);
use OpenAPI::Client;

my ($document, $api) = @ARGV;
my $client = OpenAPI::Client->new($document);
$client->base_url(Mojo::URL->new($api));

my $email = 'ann@example.com';
my $password = 'correct horse battery staple';

# Rejected by the client: the document says that the password is required.
my $invalid = $client->call(signUpEmail => {}, json => {name => 'Ann', email => $email})->res->json;

my $signed_up = $client->call(signUpEmail => {}, json => {name => 'Ann', email => $email, password => $password})->res->json;
$client->ua->cookie_jar->empty;
my $failure = $client->call(signInEmail => {}, json => {email => $email, password => 'not the password'})->res->json;
my $signed_in = $client->call(signInEmail => {}, json => {email => $email, password => $password, rememberMe => true})->res->json;
my $updated = $client->call(updateUser => {}, json => {name => 'Anna'})->res->json;
my $current = $client->call(getSession => {})->res->json;
my $sessions = $client->call(listSessions => {})->res->json;

print encode_json({
  invalid => $invalid->{errors}[0]{path},
  signedUp => $signed_up->{user}{name},
  failure => $failure->{code},
  signedIn => $signed_in->{user}{email},
  updated => $updated->{status},
  name => $current->{user}{name},
  sessions => scalar @$sessions,
});
