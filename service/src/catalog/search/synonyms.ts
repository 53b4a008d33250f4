/**
 * Words that requests and descriptions use for the same thing.
 *
 * Shape:  a line is a group in which each word means each other one; `a b > c d` is one way: who says `a` or `b` may mean `c` or `d`.
 *         Words are written as people write them and stemmed like any text.
 * Source: written for this project: verbs of APIs, nouns of software, business and daily life, and families of words whose stems differ.
 */
import { stem } from './stem';
import { term } from './term';
import type { Token } from './tokenize';

const GROUPS = `
create add insert new make generate
create open register
delete remove erase drop destroy
delete > clear purge trash cancel
update edit modify change
update > set patch rename replace adjust amend
change reschedule move postpone > modify update
get retrieve fetch obtain
get list show find > query lookup
find search lookup query
find discover browse > list nearby
look > search find
list enumerate
show display view
view see watch > get retrieve
read > get
write > update insert append create
save store persist
save > bookmark
send deliver dispatch
send email > compose
send message > post chat notify
share publish > post
upload import attach
download export
download fetch > get
start launch run execute trigger begin
run invoke execute call
stop halt end terminate kill shutdown
stop cancel abort
pause suspend disable
resume continue reactivate
restart reboot
enable activate
disable deactivate
turn switch > set enable disable
copy duplicate clone replicate
move transfer migrate
rename > name update
merge combine join
split divide
compare comparison versus difference
convert conversion transform
convert change > exchange
calculate compute calculation determine
calculate > estimate
count number
measure measurement
sum add total
solve solution solver
check verify validate validation verification
check > status query get
test check
confirm verify approve
approve accept
reject decline deny
estimate estimation predict prediction forecast
analyze analysis analyse analytics
analyze > statistics insights
recognize recognition detect detection identify identification
recognize extract
classify classification categorize
summarize summary summarise
translate translation translator
describe description explain
caption describe > image
explain explanation
recommend recommendation suggest suggestion
suggest > ideas
compose write draft
subscribe subscription
unsubscribe > subscription cancel
assign allocate
assign assignee > owner
give grant > assign add
finish complete
close reopen > state status
archive > close
set put > update
invite > add member
follow subscribe
favorite favourite thumbs
dislike thumbs > rate rating
rate rating rank
rate > score
vote > poll
review feedback rating
comment reply note
answer reply respond response
ask question > query answer
book reserve reservation booking
book reserve > buy
rent rental hire
rent lease
buy purchase order
buy sell > trade
order > cart checkout
pay payment
pay charge > transaction
refund reimburse
bill billing invoice
bill > charge subscription
subscription recurring plan
earn > salary income
hire recruit > job
apply application
sign login log authenticate
login authentication authenticate signin
logout signout
register registration signup enroll
password credential secret
permission access role
access permit
block ban
kick throw expel > remove ban
lock > restrict protect
archive > readonly
restore recover undo
backup snapshot
track monitor trace
track > status
monitor watch alert
alert notification alarm notify
remind reminder
remind > alarm schedule
alarm timer
schedule calendar agenda appointment event
schedule plan > meeting
appointment meeting
appointment registration
meeting conference call event
deadline due
overdue late > due
sort order rank
filter query
group cluster
tag label
label category
mark flag
upgrade update
deploy deployment release publish
install setup
configure configuration setting settings
setup > configure create
connect link attach
disconnect detach > remove unlink
attach add
scan inspect
crawl scrape scraper
scrape extract > web page content
render draw plot chart
draw generate > image picture
plot graph chart diagram visualize
visualize visualization
edit > crop resize
resize scale
rotate > transform
compress zip
encode encrypt
encrypt encryption decrypt
decode decrypt
hash digest
parse extract
format > convert
print > output
record log
play stream listen
play > start playback
song track music
song > audio album
listen > music podcast audio
podcast > audio episode
album music
artist singer musician band
artist > music
concert > event ticket
lyrics > song
movie film
movie > cinema
video > recording
show series tv
actor > cast person movie
director > crew movie
video clip movie
video > youtube film
watch stream > video
photo picture image
photo > photograph
photograph image picture
picture > artwork
bitmap png jpeg > image
svg icon > image
logo > image brand
gif sticker > image
avatar portrait > image profile
poster > image
drawing painting art
art artwork
painting > museum art
audio sound
audio > music speech
voice speech audio
speech speak spoken
transcribe transcript transcription
transcribe > speech audio text
subtitle caption
document doc file
document > pdf text
paper article publication
paper > research study journal arxiv
pdf > document file
word > document
file attachment
file > document
folder directory
sheet spreadsheet excel
cell range > spreadsheet
row record
column field
table > database
database db
database postgres mysql sql > query
sql query
slide presentation powerpoint
note memo
note > notebook
memory remember recall
fact > memory knowledge
knowledge faq > information
page site website web
website url > domain
webpage page
link url
link > connect
domain dns
dns record entry
entry record item
item product
host server
server instance machine
machine vm > instance
instance vm server
container docker pod
cluster kubernetes
bucket storage
storage disk drive
cloud > aws azure
function lambda
queue topic > message
cache redis
repo repository
repo > project github
repository project
commit push > repository
branch > repository
issue ticket bug
ticket case > issue
issue problem error
bug error defect
task todo
task > issue item
todo list > task
project > workspace
board > kanban
sprint > iteration
milestone > goal
workflow pipeline automation
pipeline build > job
job > workflow task
code program source
code script > snippet
pr > pull request merge
workspace team organization
team group
member user
user account profile
profile bio
account user
person people contact
contact > person
people > person employee
people > member user participant
teammate coworker colleague > member user assignee
employee staff worker
employee > hr
boss manager
colleague coworker > user
customer client
customer > buyer shopper
company business firm
company organization > enterprise
company > stock ticker
organization company
lead prospect > contact
deal opportunity > sales
sales > revenue
vendor supplier
store shop > product
store > restaurant
product item goods
product > price catalog
price cost
price > quote
cost expense
expense > spending cost
spend spent > expense transaction
owe > balance invoice bill
discount coupon deal promo
discount > offer
cheap discount > price
budget > expense spending
money cash > currency amount
money > finance
currency exchange
currency > money forex
dollar euro yen pound rupee usd eur gbp jpy inr > currency
exchange rate > currency
tax > income
loan mortgage > interest
loan credit
bank > account
balance > account
salary wage
invest investment > stock portfolio
stock share
stock > market ticker company
stock equity security
ticker symbol
shares > stock
portfolio > holdings
crypto cryptocurrency
crypto bitcoin ethereum > coin token
bitcoin btc > cryptocurrency
ethereum eth > cryptocurrency
coin token
candlestick candle ohlc ohlcv
wallet > address balance
nft > token collection
news headline
news > article
article blog post
blog post > article
tweet post status
tweet > twitter x
retweet repost
dm direct > message
message chat
message sms text
sms text > message
chat conversation
conversation thread
thread > message
channel > room
inbox > mail email
email mail
email message
mail > letter
bin trash
spam junk
phone telephone mobile
phone > call
phone cell
call phone
call > voice
address location
location place position
location > latitude longitude coordinates
place venue
coordinates latitude longitude
latitude longitude > location
city town
city > location
country nation
country > region
region area
zip postal postcode
nearby near closest nearest
nearby > location
map > location
route direction directions navigation
route > travel
foot walk walking
bike cycling bicycle riding
drive driving car
car vehicle automobile auto
truck van > vehicle
train rail railway
train > transit ticket
bus > transit
flight plane airline
flight > airport travel
airport > flight
taxi cab ride uber
hotel accommodation lodging
hotel > room stay
house home apartment property
house > rent real estate
apartment flat
property estate
realtor > property estate
trip travel journey
trip vacation holiday > travel
tour > travel
visit > travel
tourist attraction > place
visa passport > travel
holiday > calendar
restaurant food
restaurant > dining
food meal
meal recipe
recipe cooking cook
recipe > ingredient
ingredient > recipe
nutrition calorie
calorie > food
diet > nutrition meal
drink beverage
wine > drink
weather climate
weather > forecast
temperature > weather
rain snow wind humidity > weather
forecast > weather
sunrise sunset > sun
time clock
time > timezone
timezone > time
date day
date > calendar
month year > date
birthday > date
age > date
historical history
historic history
today > date
health medical
health > fitness
doctor physician
doctor > medical appointment
patient > medical
hospital clinic
symptom disease illness condition
rash fever cough headache pain > symptom
disease > medical
medicine drug medication
medication prescription
vaccine > health
surgery > medical
exercise workout fitness
workout > exercise
gym > fitness
sleep > health
bmi > body weight
weight mass
height > length
body > health
sport > game match
game match
game > play
match > score
football soccer
team > sport
player > team
tournament league
basketball baseball > sport
bet odds > sport
book novel
book > author library
author writer
author > book
quote quotation
poem poetry
story > tale
joke humor
joke > funny
fun > game joke
dictionary definition meaning
word definition > dictionary
define definition
synonym > thesaurus
spell spelling > grammar
grammar > text
language > translate
english french spanish german chinese japanese > language translate
name > title
title > name
bible verse
prayer > religion
religion faith
church > religion
horoscope zodiac astrology
tarot > fortune
dream > interpretation
learn education study
learn > course tutorial
course class
course lesson
tutorial guide
student pupil
teacher instructor tutor
school university college
exam test quiz
quiz trivia
homework > assignment
grade > score
degree > education
math mathematics
equation formula
solve > equation
number > integer
random > generate
prime factor > number
triangle circle square rectangle > area geometry
distance > length
area > geometry
volume > capacity
speed velocity
force acceleration > physics
physics > energy
energy power
electricity electric > energy
chemistry chemical
molecule compound > chemistry
gene dna protein > biology
cell > biology
species animal
animal pet
dog cat > animal pet
cat > cats
plant > tree
tree > forest
planet star space
space astronomy
satellite > space
law legal
law > statute
court case > legal
crime criminal
lawyer attorney
contract agreement
police > crime
vote election
election > politics
government > public
military army
security > threat
vulnerability cve
malware virus > security
threat attack
ip > address
network > ip
firewall > security
certificate ssl
key > token
token > key
api > endpoint
endpoint > url
webhook > event
model ai
ai > model llm
chatbot bot assistant
chatbot > knowledge
prompt > model
embedding vector
image > vision
dataset data
data dataset
data > information
metric statistic
statistics stats statistic
statistics > mean average
average mean
median > statistics
probability > distribution
regression > model
chart > data
dashboard report
report > summary
log event
log > audit
history log
history > past
status state
status health
state > province
progress > status
version release
latest recent newest
recent new
popular trending top
trend trending
best top
top > popular
similar related
random > any
detail info information
info metadata > details
property attribute
attribute field
parameter > argument
option setting
preference setting
theme > style
color colour
style > theme
font > text
text string
string > text
character > letter
sentiment emotion
sentiment opinion > text
emotion mood feeling
mood > emotion
language detect > language
face > image recognition
object > image
ocr > text image
qr barcode > code
scan qr > barcode
resume cv
resume > job
job career position
job > vacancy
interview > job
salary > job
skill > job
gift present
toy > product
clothes clothing fashion apparel
clothes > wear
outfit > fashion
shoe dress shirt > clothes
beauty makeup cosmetic
hair > salon
salon > appointment
laptop computer
laptop > product
computer > device
device > iot
smart > device home
light lamp
light > home
thermostat > temperature
camera > photo
sensor > measurement
robot > machine
printer > device
game > gaming
gaming > game
event > conference
ticket > event
party wedding > event
venue > event
guest > attendee
attendee participant
join > participant
room > space
furniture > home
garden > plant
repair fix
fix > repair
clean > wash
delivery shipping
shipping shipment
parcel package > shipment tracking
package > module
module library
library > package
tracking > shipment
inventory stock
stock > inventory
warehouse > inventory
supply > inventory
manufacturer > brand
brand > company
marketing advertising
ad advert advertisement
ads > campaign
campaign > marketing
seo > keyword search
keyword > search
traffic > visitors analytics
visitor > traffic
audience > followers
subscriber > contact recipient member
newsletter > list campaign email
follower > user
survey questionnaire form
survey > poll
poll > vote
form > survey
feedback > survey
donate donation charity
charity > nonprofit
insurance > policy
policy > rule
rule > policy
risk > assessment
assess assessment evaluate evaluation
evaluate > score
score > rating
audit > compliance
review > rating
pollution air > quality
water > quality
earthquake disaster > emergency
emergency > alert
environment > climate
carbon emission > environment
recycle waste > environment
farm agriculture crop
crop > farm
`;

let read: ReadonlyMap<string, readonly Token[]> | undefined;

/** Stem -> what may stand for it. Read with the first query: stemming takes 10 ms, and most commands never search. */
export function synonyms(): ReadonlyMap<string, readonly Token[]> {
  read ??= readGroups(GROUPS);
  return read;
}

function readGroups(text: string): Map<string, Token[]> {
  const meanings = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    if (from === to) return;
    const others = meanings.get(from) ?? new Set();
    meanings.set(from, others.add(to));
  };
  for (const line of text.trim().split('\n')) {
    const [said = [], meant] = line.split('>').map((words) => words.trim().split(/\s+/).map(stem));
    for (const from of said) for (const to of meant ?? said) add(from, to);
  }
  return new Map(Array.from(meanings, ([from, others]) => [from, Array.from(others, (spelling) => ({ spelling, term: term(spelling) }))]));
}
